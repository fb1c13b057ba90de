import { parseInstant } from "#domain/units/instant";

/** How long ago a timestamp is, as kubectl prints ages: `42s`, `5m30s`, `3h`, `2d4h`; `<unknown>` without one. */
export function age(timestamp: unknown, nowMs: number): string {
  const atMs = typeof timestamp === "string" ? parseInstant(timestamp) : undefined;
  return atMs === undefined ? "<unknown>" : humanDuration(nowMs - atMs);
}

/** Ref: k8s.io/apimachinery v0.36 pkg/util/duration, HumanDuration: two units at most, the smaller only when it tells. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return both(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return both(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return both(days, "d", hours % 24, "h");
  if (days < 2 * 365) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? both(years, "y", days % 365, "d") : `${years}y`;
}

function both(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
