import type { Snapshot } from "#domain/fleet/snapshot";
import type { Decision, DecisionEvent, Trace } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { MetricStatus } from "#domain/spec/federated-hpa";
import { type ConditionChange, withConditions } from "#domain/status/conditions";

/** What was found out about one object: a decision without what it repeats from the snapshot. */
export interface Verdict {
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  /** Why desired differs from current; in Karmada's words where it has some. */
  readonly rescaleReason?: string;
  readonly held?: Why;
  readonly failure?: Why;
  readonly conditions: readonly ConditionChange[];
  readonly events: readonly DecisionEvent[];
  /** The status' counts stand: nothing was learned about them, as in Karmada when a read before the metrics fails. */
  readonly countsStand?: boolean;
  /** Absent: the last ones stand, because no metric was asked. */
  readonly currentMetrics?: readonly MetricStatus[];
  readonly history: History;
  readonly recommended: boolean;
  readonly trace: Trace;
}

export interface Why {
  readonly reason: string;
  readonly message: string;
}

/**
 * The decision that a verdict makes of a snapshot. Its status is the one that holds if nothing is written: the desired
 * count moves with the write, in `concludeScale`.
 */
export function toDecision(snapshot: Snapshot, verdict: Verdict): Decision {
  const { object, instantMs } = snapshot;
  const { currentReplicas: from, desiredReplicas: to, rescaleReason, held, failure } = verdict;
  const rescales = from !== undefined && to !== undefined && from !== to;
  const { status } = object;
  return {
    v: 1,
    instantMs,
    namespace: object.namespace,
    name: object.name,
    uid: object.uid,
    generation: object.generation,
    ...(from === undefined ? {} : { currentReplicas: from }),
    ...(to === undefined ? {} : { desiredReplicas: to }),
    ...(rescales ? { scale: { from, to, reason: rescaleReason ?? "" } } : {}),
    ...(held === undefined ? {} : { held }),
    ...(failure === undefined ? {} : { failure }),
    status: {
      ...status,
      currentReplicas: verdict.countsStand ? status.currentReplicas : (from ?? status.currentReplicas),
      desiredReplicas: rescales || to === undefined ? status.desiredReplicas : to,
      observedGeneration: object.generation,
      conditions: withConditions(status.conditions, verdict.conditions, instantMs),
      currentMetrics: verdict.currentMetrics ?? status.currentMetrics,
    },
    events: verdict.events,
    history: verdict.history,
    recommended: verdict.recommended,
    trace: verdict.trace,
  };
}
