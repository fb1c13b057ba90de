import { civilFromDays, daysFromCivil, daysInMonth } from "./civil-date.ts";

/** Instants as Kubernetes writes them (RFC 3339, UTC). Arithmetic on the calendar only: no zone, no clock. */

const MS_PER_DAY = 86_400_000;

/** `2026-03-01T07:30:00Z`: whole seconds, cut off and not rounded, as `metav1.Time` serialises. Years 0..9999. */
export function formatInstant(ms: number): string {
  return `${dateAndTime(ms)}Z`;
}

/** `2026-03-01T07:30:00.250000Z`, as `metav1.MicroTime` serialises. */
export function formatMicroInstant(ms: number): string {
  const fraction = Math.floor(ms) - Math.floor(ms / 1000) * 1000;
  return `${dateAndTime(ms)}.${String(fraction).padStart(3, "0")}000Z`;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Epoch milliseconds of an RFC 3339 text, fractions beyond the millisecond cut off; undefined when it is none. */
export function parseInstant(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = daysFromCivil({ year, month, day }) * MS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1000;
  const rest = text.slice("2026-03-01T07:30:00".length);
  return rest.length === 1 ? ms : ms + fractionMsOf(rest) - offsetMinutesOf(rest) * 60_000;
}

/** The two digits at a place of the text. */
function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

const ZERO = 48;

/** Of `.250Z` or `.250+01:00`. */
function fractionMsOf(rest: string): number {
  return rest.startsWith(".") ? Number((/\d+/.exec(rest)?.[0] ?? "").slice(0, 3).padEnd(3, "0")) : 0;
}

/** Of `+01:30`, whatever stands before it. */
function offsetMinutesOf(rest: string): number {
  const sign = rest.at(-6);
  if (sign !== "+" && sign !== "-") return 0;
  return (sign === "-" ? -1 : 1) * (twoDigits(rest, rest.length - 5) * 60 + twoDigits(rest, rest.length - 2));
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
