/** How the fleet behaves where Kubernetes leaves it open. All in virtual time. */
export interface Settings {
  /** Every number that stands for chance is a hash of this, a name and an instant. */
  readonly seed: string;
  readonly pods: PodTimes;
  readonly metrics: MetricsTimes;
  readonly clusters: ClusterTimes;
  /** From the scheduler's answer to the workload's change in the member; 0: at once. */
  readonly applyDelaySeconds: number;
  /** Whether Karmada's metrics adapter is installed on the hub. */
  readonly metricsAdapter: boolean;
}

export interface PodTimes {
  /** From the pod's creation to its containers running. */
  readonly startSeconds: number;
  /** From running to Ready. */
  readonly readySeconds: number;
  /** Up to so many whole seconds more to start, different for each pod. */
  readonly jitterSeconds: number;
  /** From the deletion to the pod's end. */
  readonly stopSeconds: number;
}

/** Samples are taken at `offsetSeconds` after each multiple of the interval (counted from the epoch). */
export interface MetricsTimes {
  readonly intervalSeconds: number;
  readonly windowSeconds: number;
  readonly offsetSeconds: number;
}

export interface ClusterTimes {
  /** How long a cluster must be cut off before its Ready turns False (Karmada: cluster-failure-threshold). */
  readonly failureSeconds: number;
  /** How long it must answer again before Ready turns True (Karmada: cluster-success-threshold). */
  readonly successSeconds: number;
  /** How often a cluster reports what it has and what is in use. */
  readonly reportSeconds: number;
}

export const DEFAULT_SETTINGS: Settings = {
  seed: "1",
  pods: { startSeconds: 1, readySeconds: 2, jitterSeconds: 0, stopSeconds: 1 },
  metrics: { intervalSeconds: 15, windowSeconds: 15, offsetSeconds: 5 },
  clusters: { failureSeconds: 30, successSeconds: 30, reportSeconds: 10 },
  applyDelaySeconds: 0,
  metricsAdapter: false,
};
