/** The wall clock behind the same interface: for a real hub, whose time nobody can hold. */
import { type HostClock, LONGEST_SLEEP_MS } from "./clock.ts";

/** Timers fire when the wall says so, side by side, and `hold` holds nothing. */
export function realClock(): HostClock {
  const pending = new Set<NodeJS.Timeout>();
  let stopped = false;
  let end: { resolve(): void; reject(error: unknown): void } | undefined;
  let failure: { error: unknown } | undefined;

  function schedule(atMs: number, run: () => unknown): { cancel(): void } {
    let handle: NodeJS.Timeout;
    const arm = () => {
      const ms = Math.min(Math.max(0, atMs - Date.now()), LONGEST_SLEEP_MS);
      handle = setTimeout(async () => {
        pending.delete(handle);
        if (Date.now() < atMs) return arm();
        try {
          await run();
        } catch (error) {
          failure ??= { error };
          end?.reject(error);
        }
      }, ms);
      pending.add(handle);
    };
    if (!stopped) arm();
    return {
      cancel() {
        clearTimeout(handle);
        pending.delete(handle);
      },
    };
  }

  return {
    isVirtual: false,
    nowMs: () => Date.now(),
    at: schedule,
    hold: () => () => {},
    async runUntil(untilMs) {
      if (end !== undefined) throw new Error("the clock is running already");
      if (failure !== undefined) throw failure.error;
      if (stopped) return;
      const finished = new Promise<void>((resolve, reject) => {
        end = { resolve, reject };
      });
      const timer = Number.isFinite(untilMs) ? schedule(untilMs, () => end?.resolve()) : undefined;
      try {
        await finished;
      } finally {
        end = undefined;
        timer?.cancel();
      }
    },
    stop() {
      stopped = true;
      for (const handle of pending) clearTimeout(handle);
      pending.clear();
      end?.resolve();
    },
  };
}
