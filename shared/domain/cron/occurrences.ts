import { civilFromDays, daysFromCivil } from "#domain/units/civil-date";
import { matchingMinutes } from "./matching-minutes.ts";
import { offsetPeriodAt } from "./offset-periods.ts";
import type { CalendarSchedule, IntervalSchedule } from "./schedule.ts";
import type { Timetable } from "./timetable.ts";

const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** The engine looks through the fifth calendar year after the one it starts in. */
const YEARS_AHEAD = 5;
/** No search is shorter, so that its end need not be computed for each run. */
const SHORTEST_SEARCH_MS = YEARS_AHEAD * 365 * MS_PER_DAY;

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
  return runsAfter(timetable, afterMs).next().value ?? undefined;
}

/** All instants in (from, to] at which a rule fires, ascending, computed as they are asked for. */
export function* occurrences(timetable: Timetable, fromMs: number, toMs: number): Generator<number, void> {
  for (const atMs of runsAfter(timetable, fromMs)) {
    if (atMs > toMs) return;
    yield atMs;
  }
}

/** What came due over a stretch of time. */
export interface Due {
  /** > 0. */
  readonly count: number;
  readonly latestMs: number;
}

/**
 * How often a rule was due in (from, to], and when last; undefined where it was not (B73, B74). Its cost grows with the
 * count: some tenths of a second for a year of minutes.
 */
export function dueOccurrences(timetable: Timetable, fromMs: number, toMs: number): Due | undefined {
  let count = 0;
  let latestMs = fromMs;
  for (const atMs of occurrences(timetable, fromMs, toMs)) {
    count += 1;
    latestMs = atMs;
  }
  return count === 0 ? undefined : { count, latestMs };
}

function runsAfter({ schedule, zone, anchorMs }: Timetable, afterMs: number): Generator<number, void> {
  return schedule.kind === "interval"
    ? intervalsAfter(schedule, anchorMs, afterMs)
    : matchesAfter(schedule, zone, afterMs);
}

function* intervalsAfter(
  { everySeconds }: IntervalSchedule,
  anchorMs: number,
  afterMs: number,
): Generator<number, void> {
  const everyMs = everySeconds * MS_PER_SECOND;
  const startMs = Math.floor(anchorMs / MS_PER_SECOND) * MS_PER_SECOND;
  let intervals = Math.max(1, Math.floor((afterMs - startMs) / everyMs) + 1);
  for (;;) {
    yield startMs + intervals * everyMs;
    intervals += 1;
  }
}

/** Between two transitions a clock runs evenly, so each such period is searched on its own. */
function* matchesAfter(schedule: CalendarSchedule, zone: string, afterMs: number): Generator<number, void> {
  let period = offsetPeriodAt(zone, afterMs);
  let lastWallMs = afterMs + period.offsetMs;
  let fromWallMs = (Math.floor(lastWallMs / MS_PER_MINUTE) + 1) * MS_PER_MINUTE;
  while (fromWallMs < endOfSearch(lastWallMs)) {
    const { offsetMs, untilMs } = period;
    for (const wallMs of matchingMinutes(schedule, fromWallMs, untilMs + offsetMs)) {
      if (wallMs - lastWallMs > SHORTEST_SEARCH_MS && wallMs >= endOfSearch(lastWallMs)) return;
      yield wallMs - offsetMs;
      lastWallMs = wallMs;
    }
    period = offsetPeriodAt(zone, untilMs);
    fromWallMs = period.fromMs + period.offsetMs;
  }
}

/** The beginning, on the clock, of the first year that is not looked at. The engine starts at the next second. */
function endOfSearch(afterWallMs: number): number {
  const { year } = civilFromDays(Math.floor((afterWallMs + MS_PER_SECOND) / MS_PER_DAY));
  return daysFromCivil({ year: year + YEARS_AHEAD + 1, month: 1, day: 1 }) * MS_PER_DAY;
}
