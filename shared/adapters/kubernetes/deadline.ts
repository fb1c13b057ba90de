/** Why a deadline aborted; apart from every reason that a caller's own signal may have. */
export class Late extends Error {}

export interface Deadline {
  /** Aborts when the armed time has passed (with `Late`) or with an outer signal (with its reason). */
  readonly signal: AbortSignal;
  /** Whether an outer signal, not the time, has aborted. */
  stopped(): boolean;
  /** Starts the time anew. */
  arm(limitMs: number): void;
  disarm(): void;
  /** Must be called when the work is over: lets go of the timer and of the outer signals. */
  release(): void;
}

/** The time that deadlines are measured by; `nowMs` counts from anywhere. */
export interface DeadlineClock {
  nowMs(): number;
  /** Returns what takes it back. */
  after(ms: number, run: () => void): () => void;
}

export const WALL: DeadlineClock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export function deadline(...outer: readonly (AbortSignal | undefined)[]): Deadline {
  return deadlineBy(WALL, ...outer);
}

/** Not AbortSignal.any and AbortSignal.timeout: those keep every signal that they were derived from in memory. */
export function deadlineBy(clock: DeadlineClock, ...outer: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  let disarm = () => {};

  function stop(): void {
    controller.abort(outer.find((signal) => signal?.aborted)?.reason);
  }
  for (const signal of outer) {
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  }

  return {
    signal: controller.signal,
    stopped: () => controller.signal.aborted && !(controller.signal.reason instanceof Late),
    arm(limitMs) {
      disarm();
      const seconds = Math.round(limitMs / 100) / 10;
      disarm = clock.after(limitMs, () => controller.abort(new Late(`no whole answer within ${seconds} s`)));
    },
    disarm: () => disarm(),
    release() {
      disarm();
      for (const signal of outer) signal?.removeEventListener("abort", stop);
    },
  };
}
