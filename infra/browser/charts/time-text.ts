import { formatInstant } from "#domain/units/instant";

/** `09:01:15`, UTC as everything else. */
export function timeText(ms: number): string {
  return formatInstant(ms).slice(11, 19);
}

/** `2026-03-02 09:01:15` */
export function dayAndTimeText(ms: number): string {
  return formatInstant(ms).slice(0, 19).replace("T", " ");
}

/** What an axis says at an instant when its ticks are so many seconds apart: no more than tells them apart. */
export function tickText(seconds: number, stepSeconds: number): string {
  const text = formatInstant(seconds * 1000);
  if (stepSeconds >= 86_400) return text.slice(5, 10);
  const time = stepSeconds >= 60 ? text.slice(11, 16) : text.slice(11, 19);
  return stepSeconds >= 3600 && time === "00:00" ? text.slice(5, 10) : time;
}
