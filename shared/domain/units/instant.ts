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
    daysFromCivil({ year, month, day }) * MS_PER_DAY +
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
