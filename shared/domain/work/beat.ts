import type { History } from "#domain/scale/history";

/**
 * The heartbeat of a shard: the last slot at which all of its objects were evaluated. It extends the open
 * recommendation of every object of the shard, so that an unchanged object needs no write of its own (design 1,
 * "Histories").
 */
export interface Beat {
  readonly lastMs: number;
  /** The slot before `lastMs`. */
  readonly previousMs: number;
  /** Objects, as `namespace/name`, whose evaluation failed at `lastMs`: the beat does not speak for them there. */
  readonly except?: readonly string[];
  /** Until then the shard's objects are evaluated each on its own, since an invocation died on them together. */
  readonly isolateUntilMs?: number;
}

/**
 * The instant up to which an object (`namespace/name`) that relies on `beat` was evaluated before `beforeMs`: the beat's
 * last slot, or the one before it when the last is already this evaluation's or failed for the object. Undefined when
 * there is no such slot.
 */
export function evaluatedUpTo(beat: Beat | undefined, object: string, beforeMs: number): number | undefined {
  if (beat === undefined) return undefined;
  if (beat.lastMs < beforeMs && !beat.except?.includes(object)) return beat.lastMs;
  return beat.previousMs < beforeMs ? beat.previousMs : undefined;
}

/** The history with its latest recommendation extended to `instantMs`; the same object when it already reaches there. */
export function extendLatest(history: History, instantMs: number | undefined): History {
  if (instantMs === undefined) return history;
  let latest = -1;
  history.recommendations.forEach((run, i) => {
    if (latest < 0 || run.lastMs >= (history.recommendations[latest]?.lastMs ?? 0)) latest = i;
  });
  const run = history.recommendations[latest];
  if (run === undefined || run.lastMs >= instantMs) return history;
  const recommendations = history.recommendations.with(latest, { ...run, lastMs: instantMs });
  return { ...history, recommendations };
}
