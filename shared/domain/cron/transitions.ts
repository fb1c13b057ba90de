import { offsetPeriodAt } from "./offset-periods.ts";

/** An instant from which a zone's clocks show another offset. */
export interface Transition {
  readonly atMs: number;
  readonly offsetBeforeMs: number;
  readonly offsetAfterMs: number;
}

/** The transitions of a zone in (from, to], in order. Its cost grows with the years between. */
export function transitions(zone: string, fromMs: number, toMs: number): readonly Transition[] {
  const found: Transition[] = [];
  let period = offsetPeriodAt(zone, fromMs);
  while (period.untilMs <= toMs) {
    const following = offsetPeriodAt(zone, period.untilMs);
    if (following.offsetMs !== period.offsetMs) {
      found.push({
        atMs: following.fromMs,
        offsetBeforeMs: period.offsetMs,
        offsetAfterMs: following.offsetMs,
      });
    }
    period = following;
  }
  return found;
}
