import type { FieldWrite } from "#domain/fleet/snapshot";

/**
 * What an autoscaler remembers of one object between decisions. Recommendations are runs: the same value seen from
 * `firstMs` to `lastMs`. A window asks only whether a value was seen inside it, and `lastMs` answers that exactly as
 * the full list of samples would (held by the `normalize` vectors).
 */
export interface History {
  readonly recommendations: readonly Recommendation[];
  readonly scaleUpEvents: readonly ScaleEvent[];
  readonly scaleDownEvents: readonly ScaleEvent[];
  /** The longest policy period of each direction as last decided on; absent without `behavior`. See `recordScale`. */
  readonly longestPeriodSeconds?: { readonly up: number; readonly down: number };
  /** Bound clusters that cannot be read, each with the first instant in a row at which it could not (design 4). */
  readonly lostSinceMs?: Readonly<Record<string, number>>;
  /** First instant in a row at which only members' shares differed from the binding (B53). */
  readonly sharesDifferSinceMs?: number;
  /** What others wrote to the target's replicas in the last ten minutes. */
  readonly foreignWrites?: readonly FieldWrite[];
}

export interface Recommendation {
  readonly replicas: number;
  /** First and last instant at which this value was proposed, epoch milliseconds, first ≤ last. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** One applied change of the scale; `change` is the number of replicas added or removed, > 0. */
export interface ScaleEvent {
  readonly change: number;
  readonly atMs: number;
}

export const EMPTY_HISTORY: History = { recommendations: [], scaleUpEvents: [], scaleDownEvents: [] };
