import type { History } from "#domain/scale/history";

/**
 * The heartbeat of a shard: the last slot at which all of its objects were evaluated. It extends the open
 * recommendation of every object of the shard, so that an unchanged object needs no write of its own (design 1,
 * "Histories").
 */
export interface Beat {
  readonly lastMs: number;
  /**
   * Objects, as `namespace/name`, that were not evaluated at `lastMs`, each with the slot up to which the beat speaks for
   * it: the last one before its failures began, however many there were in a row; 0 for none.
   */
  readonly except?: Readonly<Record<string, number>>;
  /** Until then the shard's objects are evaluated each on its own, since an invocation died on them together. */
  readonly isolateUntilMs?: number;
}

/**
 * The slot up to which an object (`namespace/name`) that relies on `beat` was evaluated; 0 where there is none. It may lie
 * after work that comes late: that work is then stale.
 */
export function evaluatedUpTo(beat: Beat | undefined, object: string): number {
  return beat?.except?.[object] ?? beat?.lastMs ?? 0;
}

/** Whether the shard's objects are evaluated each on its own. */
export function isIsolated(beat: Beat | undefined, nowMs: number): boolean {
  return beat?.isolateUntilMs !== undefined && nowMs < beat.isolateUntilMs;
}

/** The heartbeat after a slot of which `failed` were not evaluated: for these it speaks no further than before. */
export function nextBeat(former: Beat | undefined, slotMs: number, failed: readonly string[]): Beat {
  if (failed.length === 0) return { lastMs: slotMs };
  const except = Object.fromEntries(failed.map((object) => [object, evaluatedUpTo(former, object)]));
  return { lastMs: slotMs, except };
}

/** The history with its latest recommendation extended to `instantMs`; the same object when it already reaches there. */
export function extendLatest(history: History, instantMs: number): History {
  let latest = -1;
  history.recommendations.forEach((run, i) => {
    if (latest < 0 || run.lastMs >= (history.recommendations[latest]?.lastMs ?? 0)) latest = i;
  });
  const run = history.recommendations[latest];
  if (run === undefined || run.lastMs >= instantMs) return history;
  const recommendations = history.recommendations.with(latest, { ...run, lastMs: instantMs });
  return { ...history, recommendations };
}
