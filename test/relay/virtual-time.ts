import type { DeadlineClock } from "#adapters/kubernetes/deadline";
import type { Timers } from "#ports/timers";
import type { Agenda } from "#test/storm/agenda";

/** An agenda as what waits on it sees it. */
export function virtualTimers(agenda: Agenda): Timers {
  return {
    nowMs: agenda.nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const end = () => {
          signal?.removeEventListener("abort", end);
          resolve();
        };
        agenda.at(agenda.nowMs() + ms, end);
        signal?.addEventListener("abort", end, { once: true });
      }),
  };
}

export function virtualDeadlines(agenda: Agenda): DeadlineClock {
  return {
    nowMs: agenda.nowMs,
    after(ms, run) {
      let isOff = false;
      agenda.at(agenda.nowMs() + ms, () => {
        if (!isOff) run();
      });
      return () => {
        isOff = true;
      };
    },
  };
}
