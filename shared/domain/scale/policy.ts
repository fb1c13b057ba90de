/** The controller's settings, with Karmada's flag names and defaults (semantics C13). All values, no environment. */
export interface Policy {
  /** `--horizontal-pod-autoscaler-tolerance`; a fraction of the target. */
  readonly tolerance: number;
  readonly cpuInitializationPeriodSeconds: number;
  readonly initialReadinessDelaySeconds: number;
  readonly downscaleStabilizationSeconds: number;
  readonly syncPeriodSeconds: number;
  /** What a bound cluster that cannot be read means for scale-in (design 4). */
  readonly lostCluster: "hold" | "assume-equal";
  /** After this long a held object goes on as `assume-equal`. */
  readonly lostClusterHoldSeconds: number;
  /** Whether a binding that is not caught up limits scale-out (B53). */
  readonly caughtUpCheck: boolean;
  /** Whether External metrics and minReplicas 0 are taken (a stock hub's webhooks refuse both). */
  readonly allowExternal: boolean;
  readonly allowMinZero: boolean;
}

export const DEFAULT_POLICY: Policy = {
  tolerance: 0.1,
  cpuInitializationPeriodSeconds: 300,
  initialReadinessDelaySeconds: 30,
  downscaleStabilizationSeconds: 300,
  syncPeriodSeconds: 15,
  lostCluster: "hold",
  lostClusterHoldSeconds: 1800,
  caughtUpCheck: true,
  allowExternal: true,
  allowMinZero: true,
};
