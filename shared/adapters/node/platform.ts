import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Clock, Ids } from "#ports/clock";
import type { Stop, Timers } from "#ports/timers";

/** Time, chance and identity, as Node has them. */
export interface Platform {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly timers: Timers;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly newStop: () => Stop;
}

export function nodePlatform(): Platform {
  const clock = { nowMs: () => Date.now() };
  return {
    ids: { next: randomUUID },
    clock,
    timers: { ...clock, sleep },
    chance: Math.random,
    newStop,
  };
}

/** However many may listen, one for each source and request: that is no leak, and nothing to warn of. */
function newStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

/** It rejects only when the signal aborts, which ends the wait like the time does. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => {});
}
