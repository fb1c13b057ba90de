import { mixedHash } from "#domain/units/hash";

/** Chance that repeats itself: each number follows from the seed and from how many were drawn before. */
export interface Dice {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  whole(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  happens(probability: number): boolean;
}

export function dice(seed: string): Dice {
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return mixedHash(`${seed}/${drawn}`) / 2 ** 32;
  };
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    happens: (probability) => next() < probability,
  };
}
