import type { Decision } from "#domain/scale/decision";
import type { Telemetry } from "#ports/telemetry";
import { isEvaluated, type Outcome } from "./outcome.ts";

/** When a message's evaluations were due and when they ended, and how often they come. */
export interface MeasuredTurn {
  readonly hub: string;
  readonly dueAtMs: number;
  readonly endedAtMs: number;
  readonly periodMs: number;
  /** Between slots, because of an event: what stands still is counted once in each slot, and not again between them. */
  readonly isExtra?: boolean;
}

/** Records what one message's evaluations came to. */
export function measureOutcomes(
  telemetry: Telemetry,
  turn: MeasuredTurn,
  outcomes: ReadonlyMap<string, Outcome>,
): void {
  const all = [...outcomes.values()];
  const decided = all.flatMap((outcome) => ("decision" in outcome ? [outcome] : []));
  const scales = decided.flatMap(({ result, decision: { scale } }) =>
    result === "scaled" && scale !== undefined ? [scale.to - scale.from] : [],
  );
  const decisions = decided.map(({ decision }) => decision);
  const { hub, dueAtMs, endedAtMs, periodMs, isExtra = false } = turn;
  telemetry.record(
    { hub },
    {
      ObjectsEvaluated: all.filter(isEvaluated).length,
      ObjectsFailed: all.filter((outcome) => !isEvaluated(outcome)).length,
      MetricsFailed: decisions.flatMap(({ trace }) => trace.metrics.filter(({ fault }) => fault)).length,
      ScaleOuts: scales.filter((change) => change > 0).length,
      ScaleIns: scales.filter((change) => change < 0).length,
      DecisionLatency: Math.max(0, endedAtMs - dueAtMs),
      UnreadableClusters: new Set(decisions.flatMap(unreadable)).size,
      ...(isExtra
        ? {}
        : { Evictions: evictionsSince(decided, dueAtMs - periodMs, dueAtMs), ...placed(decisions) }),
    },
  );
  if (isExtra) return;
  for (const [cluster, replicas] of replicasByCluster(decisions)) {
    telemetry.record({ hub, cluster }, { Replicas: replicas });
  }
}

/** Each slot counts those of its own period, so that none counts twice. */
function evictionsSince(
  decided: readonly Extract<Outcome, { decision: Decision }>[],
  fromMs: number,
  toMs: number,
): number {
  return decided.reduce((sum, { decidedFrom }) => {
    const binding = decidedFrom?.snapshot.binding;
    const evictions = (binding?.ok && binding.value.evictions) || [];
    return sum + evictions.filter((atMs) => atMs > fromMs && atMs <= toMs).length;
  }, 0);
}

function unreadable({ trace }: Decision): string[] {
  return trace.clusters.flatMap(({ cluster, gap }) => (gap === undefined ? [] : [cluster]));
}

/** In the templates' terms: a Duplicated workload counts once, in however many clusters it runs. */
function placed(decisions: readonly Decision[]): { ReplicasWanted: number; ReplicasOff: number } {
  let wanted = 0;
  let off = 0;
  for (const { currentReplicas, trace } of decisions) {
    if (currentReplicas === undefined || trace.placement === undefined) continue;
    wanted += currentReplicas;
    off += Math.abs(currentReplicas - trace.placement.placed);
  }
  return { ReplicasWanted: wanted, ReplicasOff: off };
}

function replicasByCluster(decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { trace } of decisions) {
    for (const { cluster, statusReplicas } of trace.clusters) {
      if (statusReplicas !== undefined) sums.set(cluster, (sums.get(cluster) ?? 0) + statusReplicas);
    }
  }
  return sums;
}
