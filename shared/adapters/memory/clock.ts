import type { Clock } from "#ports/clock";

/** A clock that stands where it was set. */
export interface MemoryClock extends Clock {
  set(nowMs: number): void;
  advance(ms: number): void;
}

export function memoryClock(startMs: number): MemoryClock {
  let now = startMs;
  return {
    nowMs: () => now,
    set(nowMs) {
      now = nowMs;
    },
    advance(ms) {
      now += ms;
    },
  };
}
