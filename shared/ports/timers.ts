/// <reference path="./abort-signal.d.ts" />
import type { Clock } from "./clock.ts";

/** A clock that can be waited on. */
export interface Timers extends Clock {
  /** Resolves after so many milliseconds, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What ends work that goes on until it is told to; an AbortController is one. */
export interface Stop {
  readonly signal: AbortSignal;
  abort(): void;
}
