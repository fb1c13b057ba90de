import { transitions } from "./transitions.ts";

const MS_PER_DAY = 86_400_000;

/**
 * Whether the zone's clock shows the same minute at another instant too, because it was set back between the two: then
 * a calendar schedule fires at both (B68), and this is the first or the second; undefined where the minute comes once.
 */
export function repeatedMinute(zone: string, instantMs: number): "first" | "second" | undefined {
  for (const { atMs, offsetBeforeMs, offsetAfterMs } of transitions(
    zone,
    instantMs - MS_PER_DAY,
    instantMs + MS_PER_DAY,
  )) {
    const setBackMs = offsetBeforeMs - offsetAfterMs;
    if (instantMs >= atMs - setBackMs && instantMs < atMs) return "first";
    if (instantMs >= atMs && instantMs < atMs + setBackMs) return "second";
  }
  return undefined;
}
