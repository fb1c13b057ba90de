import { mixedHash } from "#domain/units/hash";

/**
 * Identity without chance: what an id source answers depends on its seed and the number asked for, and on nothing
 * that happened before. The store asks with its next resourceVersion, so a restored store goes on without repeating.
 */
export interface IdSource {
  /** A UUID (version 4 in form). */
  uid(n: number): string;
  /** Five characters for `generateName`, from the alphabet that Kubernetes uses (no vowels, no 0, 1, 3). */
  suffix(n: number, attempt: number): string;
}

const SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

export function seededIds(seed: string): IdSource {
  return {
    uid: (n) => {
      const hex = [0, 1, 2, 3]
        .map((word) => mixedHash(`${seed}/uid/${n}/${word}`).toString(16).padStart(8, "0"))
        .join("");
      const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    suffix: (n, attempt) => {
      let rest = mixedHash(`${seed}/name/${n}/${attempt}`);
      let text = "";
      for (let i = 0; i < 5; i++) {
        text += SUFFIX_ALPHABET[rest % SUFFIX_ALPHABET.length];
        rest = Math.floor(rest / SUFFIX_ALPHABET.length);
      }
      return text;
    },
  };
}
