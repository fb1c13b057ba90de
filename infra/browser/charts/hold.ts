import type { Timeline, Values } from "./timeline.ts";

/** The instants in seconds, with one more where the last values hold on until then. */
export function heldInstants({ atMs, untilMs }: Timeline): number[] {
  const seconds = atMs.map((ms) => ms / 1000);
  return isHeld(atMs, untilMs) ? [...seconds, untilMs / 1000] : seconds;
}

/** The values of these instants. */
export function heldValues({ atMs, untilMs }: Timeline, values: Values): (number | null)[] {
  return isHeld(atMs, untilMs) ? [...values, values.at(-1) ?? null] : [...values];
}

function isHeld(atMs: readonly number[], untilMs: number): boolean {
  const last = atMs.at(-1);
  return last !== undefined && untilMs > last;
}
