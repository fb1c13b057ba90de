/** The figures of a run, of one object or of all; each is defined, with unit and rounding, in docs/simulate.md. */
export interface Summary {
  /** Seconds in which a metric was above its target by more than the tolerance. */
  readonly timeAboveTargetSeconds: number;
  /** Seconds in which the replicas stood at the largest number allowed. */
  readonly timeAtMaxSeconds: number;
  /** Replicas times hours, as the scheduler gave them; three decimals. */
  readonly replicaHours: number;
  readonly scaleEvents: number;
  readonly scaleUps: number;
  readonly scaleDowns: number;
  /** Scales against the direction of the one before, within five minutes of it. */
  readonly flaps: number;
  /** The longest time from a metric's rise above its target until it was met with every replica ready. */
  readonly settleSeconds: number;
  /** Whether the last such rise was not over at the end. */
  readonly unsettled: boolean;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** Evaluations that could not decide. */
  readonly failedEvaluations: number;
  readonly cronRuns: number;
  readonly cronRunsFailed: number;
  readonly byCluster: readonly ClusterSummary[];
}

export interface ClusterSummary {
  readonly cluster: string;
  readonly replicaHours: number;
  /** The most replicas at a slot. */
  readonly maxReplicas: number;
}

/** One figure of two runs. */
export interface ComparedSummary {
  /** The figure's name, as `--fail-if` reads it. */
  readonly figure: string;
  readonly first: number;
  readonly second: number;
  /** second − first */
  readonly difference: number;
}
