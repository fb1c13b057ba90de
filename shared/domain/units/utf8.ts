/** UTF-8 without an encoder: this room has none, and lengths and order follow from the code points. */

/** How many bytes a text takes in UTF-8; a lone surrogate counts as U+FFFD, which it is replaced by. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Orders as the UTF-8 bytes do, which is the order of code points: negative when `a` comes first, 0 when equal. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  if (i === length) return a.length - b.length;
  const insidePair = i > 0 && isLowSurrogate(a.charCodeAt(i)) && isLowSurrogate(b.charCodeAt(i));
  const start = insidePair ? i - 1 : i;
  return (a.codePointAt(start) as number) - (b.codePointAt(start) as number);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
