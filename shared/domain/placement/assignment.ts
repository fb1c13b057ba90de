import type { Parsed } from "#domain/units/parsed";

/** The replicas of one cluster, as `spec.clusters` of a ResourceBinding lists them. */
export interface Assignment {
  readonly name: string;
  readonly replicas: number;
}

/** A cluster that the workload may be placed on. */
export interface Candidate {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** What is free beside the replicas that run there already; absent means no estimator answered: room for all. */
  readonly availableReplicas?: number;
}

/**
 * A division, or why there is none, in the scheduler's words; code `clusters-none` or `replicas-not-enough`. A
 * division that fails places nothing: the previous one stays.
 */
export type Division = Parsed<readonly Assignment[]>;

/** Exact: Karmada's sum is an int32 and wraps (D-11). */
export function sumReplicas(assignments: readonly Assignment[]): number {
  return assignments.reduce((sum, { replicas }) => sum + replicas, 0);
}
