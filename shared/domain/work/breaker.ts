/**
 * A cluster that fails again and again is not asked by every invocation of every slot: its breaker opens, it is a named
 * gap, and one invocation in each slot tries it (design 1, "Read less").
 */
export interface Breaker {
  readonly cluster: string;
  /** Failed reads in a row; it is open from the second on. */
  readonly failures: number;
  /** The slot for which somebody has taken on to try it. */
  readonly probedMs: number;
  readonly version: number;
}

const OPEN_FROM = 2;

export function isOpen(breaker: Breaker | undefined): breaker is Breaker {
  return breaker !== undefined && breaker.failures >= OPEN_FROM;
}

/** Whether this slot's try is still to be taken on. */
export function isProbeFree(breaker: Breaker, slotMs: number): boolean {
  return breaker.probedMs < slotMs;
}

/** The breaker after a read that failed. */
export function afterFailure(breaker: Breaker | undefined, cluster: string): Breaker {
  if (breaker === undefined) return { cluster, failures: 1, probedMs: 0, version: 0 };
  return { ...breaker, failures: breaker.failures + 1 };
}
