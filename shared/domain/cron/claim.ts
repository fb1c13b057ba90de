import type { CronTarget } from "./target.ts";

/**
 * A claim says that someone is about to write a run's value. It is stored before the write, under the object's uid, the
 * rule and the instant, so that a second delivery does nothing and a crash can be told apart afterwards (D-24).
 */
export interface Claim {
  readonly startedMs: number;
  /** Until then the run is the claimant's alone. */
  readonly leaseUntilMs: number;
  /** The target as it was before the write. */
  readonly target: { readonly uid: string; readonly generation: number };
}

/**
 * Longer than an invocation of the cron function and its last request can last (30 s and 5 s), shorter than the minute
 * to the next evaluation.
 */
export const LEASE_MS = 45_000;

/** Whether nobody has written the target since the claim: not the claimant either. */
export function isUntouched({ target }: Claim, now: CronTarget): boolean {
  return target.uid === now.uid && target.generation === now.generation;
}
