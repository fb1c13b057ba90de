import { randomUUID } from "node:crypto";
import type { Ids } from "#ports/clock";
import type { Stop, Timers } from "#ports/timers";

/** Time, chance and identity, as Node has them. */
export interface Platform {
  readonly ids: Ids;
  readonly timers: Timers;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly newStop: () => Stop;
}

/** `nowMs` may tell another time than the wall's; waiting goes by the wall in any case. */
export function nodePlatform(nowMs: () => number = () => Date.now()): Platform {
  return {
    ids: { next: randomUUID },
    timers: { nowMs, sleep },
    chance: Math.random,
    newStop: () => new AbortController(),
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
