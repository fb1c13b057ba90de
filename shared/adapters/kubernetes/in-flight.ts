/**
 * A gate that lets `limit` tasks run at once; the rest wait in the order they came. A waiting task whose signal
 * aborts leaves the queue and rejects with the signal's reason.
 */
export function inFlight(limit: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < limit) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(admit);
    });
  }

  return async (task, signal) => {
    await enter(signal);
    try {
      return await task();
    } finally {
      // The place is handed over, not freed: a newcomer must not overtake those who wait.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
