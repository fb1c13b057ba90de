import type { Ids } from "#ports/clock";

/** Ids that count from 1: `id-1`, `id-2`. */
export function memoryIds(prefix = "id"): Ids {
  let last = 0;
  return {
    next() {
      last += 1;
      return `${prefix}-${last}`;
    },
  };
}
