/** `1 pod`, `2 pods`, `no pods`; `plural` where an s does not make it. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  if (count === 0) return `no ${plural}`;
  return `${count} ${count === 1 ? noun : plural}`;
}
