/**
 * Instants as Kubernetes writes them (RFC 3339, UTC). Arithmetic on the proleptic Gregorian calendar only: no zone, no
 * clock. Days are counted from 1970-01-01 in eras of 400 years, with the year starting in March so that the leap day is
 * the last one.
 */

const MS_PER_DAY = 86_400_000;
const DAYS_PER_ERA = 146_097;
/** 0000-03-01 to 1970-01-01. */
const DAYS_TO_EPOCH = 719_468;

/** `2026-03-01T07:30:00Z`: whole seconds, cut off and not rounded, as `metav1.Time` serialises. Years 0..9999. */
export function formatInstant(ms: number): string {
  return `${dateAndTime(ms)}Z`;
}

/** `2026-03-01T07:30:00.250000Z`, as `metav1.MicroTime` serialises. */
export function formatMicroInstant(ms: number): string {
  const fraction = Math.floor(ms) - Math.floor(ms / 1000) * 1000;
  return `${dateAndTime(ms)}.${String(fraction).padStart(3, "0")}000Z`;
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Epoch milliseconds of an RFC 3339 text, fractions beyond the millisecond cut off; undefined when it is none. */
export function parseInstant(text: string): number | undefined {
  const found = RFC_3339.exec(text);
  if (found === null) return undefined;
  const year = Number(found[1]);
  const month = Number(found[2]);
  const day = Number(found[3]);
  const hour = Number(found[4]);
  const minute = Number(found[5]);
  const second = Number(found[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetMinutes = (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0)) * (found[8] === "-" ? -1 : 1);
  const fractionMs = Number((found[7] ?? "").slice(0, 3).padEnd(3, "0"));
  return (
    daysFromCivil(year, month, day) * MS_PER_DAY +
    ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 +
    fractionMs
  );
}

function dateAndTime(ms: number): string {
  const days = Math.floor(ms / MS_PER_DAY);
  const seconds = Math.floor((ms - days * MS_PER_DAY) / 1000);
  const { year, month, day } = civilFromDays(days);
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  return `${date}T${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
