import { civilFromDays, daysFromCivil } from "#domain/units/civil-date";
import { matchingMinute } from "./matching-minute.ts";
import { offsetPeriodAt } from "./offset-periods.ts";
import type { CalendarSchedule, IntervalSchedule } from "./schedule.ts";
import type { Timetable } from "./timetable.ts";

const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** The engine looks through the fifth calendar year after the one it starts in. */
const YEARS_AHEAD = 5;

/**
 * The first instant strictly after `afterMs` at which a rule fires, in epoch milliseconds; undefined where none comes
 * within five years.
 *
 * A calendar schedule fires at every instant whose minute on the zone's clock matches, at second 0. So what lies in a
 * gap is skipped that day, and what comes twice fires twice (D-23). `@every` fires at whole intervals after its
 * anchor, which is cut to the second.
 *
 * Follows robfig/cron v3.0.1 `SpecSchedule.Next`. Differs where that one returns instants that do not match, or leaves
 * out some that do, because it walks in whole hours: around shifts of half an hour (Lord Howe) and gaps at midnight.
 */
export function nextOccurrence(timetable: Timetable, afterMs: number): number | undefined {
  const { schedule, zone, anchorMs } = timetable;
  return schedule.kind === "interval"
    ? nextInterval(schedule, anchorMs, afterMs)
    : nextMatch(schedule, zone, afterMs);
}

/** All instants in (from, to] at which a rule fires, ascending, computed as they are asked for. */
export function* occurrences(timetable: Timetable, fromMs: number, toMs: number): Generator<number, void> {
  let atMs = nextOccurrence(timetable, fromMs);
  while (atMs !== undefined && atMs <= toMs) {
    yield atMs;
    atMs = nextOccurrence(timetable, atMs);
  }
}

/** What came due over a stretch of time. */
export interface Due {
  /** > 0. */
  readonly count: number;
  readonly latestMs: number;
}

/** How often a rule was due in (from, to], and when last; undefined where it was not (B73, B74). */
export function dueOccurrences(timetable: Timetable, fromMs: number, toMs: number): Due | undefined {
  let due: Due | undefined;
  for (const latestMs of occurrences(timetable, fromMs, toMs))
    due = { count: (due?.count ?? 0) + 1, latestMs };
  return due;
}

function nextInterval({ everySeconds }: IntervalSchedule, anchorMs: number, afterMs: number): number {
  const everyMs = everySeconds * MS_PER_SECOND;
  const startMs = Math.floor(anchorMs / MS_PER_SECOND) * MS_PER_SECOND;
  const intervals = Math.max(1, Math.floor((afterMs - startMs) / everyMs) + 1);
  return startMs + intervals * everyMs;
}

/** Between two transitions a clock runs evenly, so each such period is searched on its own. */
function nextMatch(schedule: CalendarSchedule, zone: string, afterMs: number): number | undefined {
  let period = offsetPeriodAt(zone, afterMs);
  const limitWallMs = endOfSearch(afterMs + period.offsetMs);
  let fromWallMs = nextMinute(afterMs + period.offsetMs);
  while (fromWallMs < limitWallMs) {
    const untilWallMs = period.untilMs + period.offsetMs;
    const found = matchingMinute(schedule, fromWallMs, Math.min(untilWallMs, limitWallMs));
    if (found !== undefined) return found - period.offsetMs;
    period = offsetPeriodAt(zone, period.untilMs);
    fromWallMs = period.fromMs + period.offsetMs;
  }
  return undefined;
}

function nextMinute(wallMs: number): number {
  return (Math.floor(wallMs / MS_PER_MINUTE) + 1) * MS_PER_MINUTE;
}

/** The beginning, on the clock, of the first year that is not looked at. The engine starts at the next second. */
function endOfSearch(afterWallMs: number): number {
  const { year } = civilFromDays(Math.floor((afterWallMs + MS_PER_SECOND) / MS_PER_DAY));
  return daysFromCivil({ year: year + YEARS_AHEAD + 1, month: 1, day: 1 }) * MS_PER_DAY;
}
