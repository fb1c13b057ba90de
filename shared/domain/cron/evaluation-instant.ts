/** A clock may be behind the one that delayed the message by so much; a message further ahead is not believed. */
const MAX_AHEAD_MS = 5_000;

/**
 * The instant up to which an evaluation looks: the clock, but not before the message's own instant, because a clock a
 * little behind would leave a rule that is due right then for the next minute.
 */
export function evaluationInstant(clockMs: number, dueAtMs: number): number {
  return dueAtMs - clockMs <= MAX_AHEAD_MS ? Math.max(clockMs, dueAtMs) : clockMs;
}
