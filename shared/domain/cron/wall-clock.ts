import { formatInstant } from "#domain/units/instant";
import { offsetPeriodAt } from "./offset-periods.ts";

const MS_PER_MINUTE = 60_000;

/** Local time minus UTC at an instant, in milliseconds: 19,800,000 in Asia/Kolkata. */
export function offsetMs(zone: string, instantMs: number): number {
  return offsetPeriodAt(zone, instantMs).offsetMs;
}

/**
 * What a clock in the zone shows at an instant, as milliseconds since 1970-01-01T00:00 on that clock. A clock's
 * minutes are no instants: in autumn two instants show the same one.
 */
export function wallMs(zone: string, instantMs: number): number {
  return instantMs + offsetMs(zone, instantMs);
}

/** `2026-03-08T03:30:00-04:00`: an instant as the zone writes it, whole seconds; an offset's seconds are cut off. */
export function formatInZone(zone: string, instantMs: number): string {
  const offset = offsetMs(zone, instantMs);
  const minutes = Math.floor(Math.abs(offset) / MS_PER_MINUTE);
  const sign = offset < 0 ? "-" : "+";
  return `${formatWall(instantMs + offset)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `2026-03-08T02:30:00`: what the clock shows, without an offset, because it may not exist or come twice. */
export function formatWall(ms: number): string {
  return formatInstant(ms).slice(0, -1);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
