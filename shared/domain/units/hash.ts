/** 32-bit FNV-1a over the UTF-16 code units; 0..2^32 − 1. For spreading and rendezvous, not for secrecy. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** A hash whose every bit depends on every input bit (murmur3's finaliser over FNV-1a); 0..2^32 − 1. */
export function mixedHash(text: string): number {
  let hash = fnv1a(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 64 bits of hash as 16 hexadecimal digits: for names of things that must not be taken for one another by chance. */
export function hash64(text: string): string {
  return [0, 1].map((part) => mixedHash(`${part}:${text}`).toString(16).padStart(8, "0")).join("");
}
