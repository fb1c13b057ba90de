import { civilFromDays, daysInMonth, weekdayOf } from "#domain/units/civil-date";
import type { CalendarSchedule } from "./schedule.ts";

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;

/**
 * The minutes in [from, until) that all fields of a schedule match, on a clock that nobody sets; ascending, computed as
 * they are asked for. All as `wallMs`.
 */
export function* matchingMinutes(
  schedule: CalendarSchedule,
  fromWallMs: number,
  untilWallMs: number,
): Generator<number, void> {
  const { hours, minutes } = schedule;
  for (const dayMs of matchingDays(schedule, fromWallMs, untilWallMs)) {
    for (const hour of hours) {
      const hourMs = dayMs + hour * MS_PER_HOUR;
      if (hourMs + MS_PER_HOUR <= fromWallMs) continue;
      for (const minute of minutes) {
        const minuteMs = hourMs + minute * MS_PER_MINUTE;
        if (minuteMs >= untilWallMs) return;
        if (minuteMs >= fromWallMs) yield minuteMs;
      }
    }
  }
}

/** The beginnings of the days that match, from the one that holds `fromWallMs`. */
function* matchingDays(
  { daysOfMonth, months, daysOfWeek, eitherDay }: CalendarSchedule,
  fromWallMs: number,
  untilWallMs: number,
): Generator<number, void> {
  let day = Math.floor(fromWallMs / MS_PER_DAY);
  while (day * MS_PER_DAY < untilWallMs) {
    const date = civilFromDays(day);
    if (!months.includes(date.month)) {
      day += daysInMonth(date.year, date.month) - date.day + 1;
      continue;
    }
    const byMonth = daysOfMonth.includes(date.day);
    const byWeek = daysOfWeek.includes(weekdayOf(day));
    if (eitherDay ? byMonth || byWeek : byMonth && byWeek) yield day * MS_PER_DAY;
    day += 1;
  }
}
