/** What is kept under the key, or what `load` gives now; a rejection is kept too. */
export function once<T>(kept: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const found = kept.get(key) ?? load();
  kept.set(key, found);
  return found;
}
