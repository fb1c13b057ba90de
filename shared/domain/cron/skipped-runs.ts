import { matchingMinutes } from "./matching-minutes.ts";
import type { Timetable } from "./timetable.ts";
import { transitions } from "./transitions.ts";

/** Runs that a day does not have, because the clock jumped over their minutes (B67). All `…WallMs` as `wallMs`. */
export interface SkippedRuns {
  /** When the clock jumps. */
  readonly atMs: number;
  /** What the clock shows just before, were it not to jump. */
  readonly fromWallMs: number;
  /** What it shows instead. */
  readonly toWallMs: number;
  /** What it would have shown at the runs, ascending, never empty. */
  readonly runWallMs: readonly number[];
}

/** The runs that gaps in (from, to] swallow, gap by gap. `@every` has none: it is read on no clock. */
export function skippedRuns(
  { schedule, zone }: Timetable,
  fromMs: number,
  toMs: number,
): readonly SkippedRuns[] {
  if (schedule.kind === "interval") return [];
  return transitions(zone, fromMs, toMs)
    .map(({ atMs, offsetBeforeMs, offsetAfterMs }) => {
      const [fromWallMs, toWallMs] = [atMs + offsetBeforeMs, atMs + offsetAfterMs];
      return { atMs, fromWallMs, toWallMs, runWallMs: [...matchingMinutes(schedule, fromWallMs, toWallMs)] };
    })
    .filter(({ runWallMs }) => runWallMs.length > 0);
}
