import type { Pod, PodSample } from "#domain/fleet/pod";

/** The controller's two settings about young pods; see `Policy`. */
export interface ReadinessRules {
  readonly cpuInitializationPeriodSeconds: number;
  readonly initialReadinessDelaySeconds: number;
}

/**
 * Whether the CPU sample of a running pod is not to be believed yet (semantics 4.4): a starting process burns CPU
 * that says nothing of its load. Other resources have no such rule (B22).
 *
 * - Without a start time or a Ready condition: always.
 * - Within the initialization period of its start: while it is not ready, and until one whole window was measured
 *   since it last turned ready or unready.
 * - Later: only if it is not ready and never was, that is, its condition last moved within the readiness delay.
 */
export function isUnreadyForCpu(pod: Pod, sample: PodSample, nowMs: number, rules: ReadinessRules): boolean {
  const { startedAtMs, ready } = pod;
  if (startedAtMs === undefined || ready === undefined) return true;
  const unready = ready.status === "False";
  if (startedAtMs + rules.cpuInitializationPeriodSeconds * 1000 > nowMs) {
    return unready || sample.timestampMs < ready.sinceMs + sample.windowSeconds * 1000;
  }
  return unready && startedAtMs + rules.initialReadinessDelaySeconds * 1000 > ready.sinceMs;
}

/** Running with Ready=True. A pod being deleted still counts while it serves (B11). */
export function isServing(pod: Pod): boolean {
  return pod.phase === "Running" && pod.ready?.status === "True";
}
