import type { Fault } from "./fault.ts";

/** Everything a storm follows from: the same plan is the same storm, to the last call. */
export interface Plan {
  /** Chance: the fleet, the length of each call, the order of what is ready at once. */
  readonly seed: string;
  /** Virtual minutes in which things go wrong. */
  readonly minutes: number;
  readonly objects: number;
  /** One that would last into the calm does not happen. */
  readonly faults: readonly Fault[];
}

/** The storm's start, on a minute and a slot. */
export const START_MS = Date.UTC(2026, 2, 2, 9, 0, 0);

export const SLOT_SECONDS = 15;

/** The first seconds are quiet, so that every object is known before anything happens to it. */
export const CALM_BEFORE_SECONDS = 2 * SLOT_SECONDS;

/** Visibility and three slots, in which everything has to be well again. */
export const RECOVERY_SECONDS = 60 + 3 * SLOT_SECONDS;

/** The recovery, and the slots after it in which every object must decide as if nothing had been. */
export const SLOTS_OF_CALM = RECOVERY_SECONDS / SLOT_SECONDS + 5;

/** When the last fault is over, in seconds from the start; a slot. */
export function calmAtSeconds({ minutes }: Plan): number {
  return CALM_BEFORE_SECONDS + minutes * 60;
}
