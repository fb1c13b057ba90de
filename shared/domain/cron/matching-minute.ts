import { civilFromDays, daysInMonth, weekdayOf } from "#domain/units/civil-date";
import type { CalendarSchedule } from "./schedule.ts";

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const MINUTES_PER_DAY = 1440;

/**
 * The first minute in [from, until) that all fields of a schedule match, on a clock that nobody moves; undefined
 * where none does. Both ends and the answer as `wallMs`.
 */
export function matchingMinute(
  schedule: CalendarSchedule,
  fromWallMs: number,
  untilWallMs: number,
): number | undefined {
  const firstDay = Math.floor(fromWallMs / MS_PER_DAY);
  const firstMinute = Math.ceil((fromWallMs - firstDay * MS_PER_DAY) / MS_PER_MINUTE);
  const found = minuteOfDay(schedule, firstDay, firstMinute) ?? laterDay(schedule, firstDay + 1, untilWallMs);
  return found !== undefined && found < untilWallMs ? found : undefined;
}

function minuteOfDay(schedule: CalendarSchedule, day: number, earliest: number): number | undefined {
  if (earliest >= MINUTES_PER_DAY || !dayMatches(schedule, day)) return undefined;
  const { hours, minutes } = schedule;
  const hour = Math.floor(earliest / 60);
  const sameHour = hours.includes(hour) ? minutes.find((minute) => minute >= earliest % 60) : undefined;
  if (sameHour !== undefined) return wallOf(day, hour, sameHour);
  const laterHour = hours.find((candidate) => candidate > hour);
  return laterHour === undefined ? undefined : wallOf(day, laterHour, minutes[0] ?? 0);
}

function laterDay(schedule: CalendarSchedule, fromDay: number, untilWallMs: number): number | undefined {
  let day = fromDay;
  while (day * MS_PER_DAY < untilWallMs) {
    const { year, month, day: dayOfMonth } = civilFromDays(day);
    if (!schedule.months.includes(month)) day += daysInMonth(year, month) - dayOfMonth + 1;
    else if (weekdayOrDayMatches(schedule, day, dayOfMonth)) return minuteOfDay(schedule, day, 0);
    else day += 1;
  }
  return undefined;
}

function dayMatches(schedule: CalendarSchedule, day: number): boolean {
  const { month, day: dayOfMonth } = civilFromDays(day);
  return schedule.months.includes(month) && weekdayOrDayMatches(schedule, day, dayOfMonth);
}

function weekdayOrDayMatches(
  { daysOfMonth, daysOfWeek, eitherDay }: CalendarSchedule,
  day: number,
  dayOfMonth: number,
): boolean {
  const byMonth = daysOfMonth.includes(dayOfMonth);
  const byWeek = daysOfWeek.includes(weekdayOf(day));
  return eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

function wallOf(day: number, hour: number, minute: number): number {
  return day * MS_PER_DAY + (hour * 60 + minute) * MS_PER_MINUTE;
}
