import type { ReadFault } from "#domain/fleet/snapshot";
import type { History } from "#domain/scale/history";
import type { Tolerance } from "#domain/scale/tolerance";
import type { FederatedHpaStatus, MetricSpec } from "#domain/spec/federated-hpa";
import type { MilliValue } from "#domain/units/milli";

/**
 * A decision is a value that explains itself: what to write, and every number it came from. JSON-serialisable by
 * `wire/json`, and the same snapshot, history and policy give the same bytes.
 */
export interface Decision {
  readonly v: 1;
  readonly instantMs: number;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** The template's replicas; absent when the target could not be read. */
  readonly currentReplicas?: number;
  /** What the object wants now; equal to `currentReplicas` when it holds. Absent when nothing could be decided. */
  readonly desiredReplicas?: number;
  /** The write to make; absent when nothing is to be written. */
  readonly scale?: ScaleStep;
  /** Why nothing, or less than proposed, happens; absent on a plain decision. Verbatim condition reason where one exists. */
  readonly held?: { readonly reason: string; readonly message: string };
  /**
   * What went wrong where Karmada's reconcile returns an error (semantics 4.1). Also set beside a scale-out that goes on
   * with the metrics that work (B43).
   */
  readonly failure?: { readonly reason: string; readonly message: string };
  /** Conditions, counts and metrics for the object's status if nothing is written; see `concludeScale` for after a write. */
  readonly status: FederatedHpaStatus;
  /** Events to emit now; the rescale's own event comes from `concludeScale`. */
  readonly events: readonly DecisionEvent[];
  /** The history with this decision's recommendation; the scale event is added by `concludeScale`. */
  readonly history: History;
  /** True when this evaluation put a recommendation on record; false on gates and failures. */
  readonly recommended: boolean;
  readonly trace: Trace;
}

export interface ScaleStep {
  readonly from: number;
  readonly to: number;
  /** Karmada's words: `cpu resource utilization (percentage of request) above target`, `All metrics below target`, … */
  readonly reason: string;
}

export interface DecisionEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** The account of a decision, in the order it was made. */
export interface Trace {
  /** Σ member spec.replicas ÷ template replicas; absent when no metric was asked. */
  readonly calibration?: number;
  readonly clusters: readonly ClusterTrace[];
  readonly metrics: readonly MetricTrace[];
  /** Which gate answered before the metrics, if one did. */
  readonly gate?: "above-max" | "below-min" | "disabled";
  /** How far the members follow the template; absent where no metric was asked. */
  readonly placement?: PlacementTrace;
  /** What held for the proposals; absent where no metric was asked. */
  readonly rules?: RulesTrace;
  readonly limits?: LimitTrace;
  /** Pods that the selector matches but the target does not own (B26). */
  readonly foreignPods?: { readonly count: number; readonly examples: readonly string[] };
}

/** The settings that a decision was made under, each from the spec or, where that has none, the controller's. */
export interface RulesTrace {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly tolerance: Tolerance;
  /** Seconds of past recommendations that count, per direction. */
  readonly scaleUpWindowSeconds: number;
  readonly scaleDownWindowSeconds: number;
}

export interface PlacementTrace {
  readonly caughtUp: boolean;
  /** What the binding or the members lag behind in; absent when caught up. */
  readonly reason?: string;
  /** Replicas that the members run, in the template's terms. */
  readonly placed: number;
}

export interface ClusterTrace {
  readonly cluster: string;
  readonly specReplicas?: number;
  readonly statusReplicas?: number;
  readonly pods?: {
    readonly total: number;
    readonly ready: number;
    readonly unready: number;
    readonly missing: number;
    readonly ignored: number;
  };
  /** Set when the cluster is out of this decision. */
  readonly gap?: ReadFault;
}

export interface MetricTrace {
  readonly type: MetricSpec["type"];
  readonly name: string;
  readonly proposal?: number;
  /** Current ÷ target, as compared with the tolerance. */
  readonly usageRatio?: number;
  readonly withinTolerance?: boolean;
  readonly current?: {
    readonly averageUtilization?: number;
    readonly averageValue?: MilliValue;
    readonly value?: MilliValue;
  };
  readonly target?: {
    readonly averageUtilization?: number;
    readonly averageValue?: MilliValue;
    readonly value?: MilliValue;
  };
  readonly pods?: {
    readonly ready: number;
    readonly unready: number;
    readonly missing: number;
    readonly ignored: number;
  };
  readonly fault?: { readonly code: string; readonly message: string };
  /** Why this metric has no say: at template 0 only Object and External metrics have one. */
  readonly skipped?: string;
  /** The largest sample, if it is more than 100 times the pod's request: counted, but hardly true (B50). */
  readonly suspect?: { readonly cluster: string; readonly pod: string; readonly milliValue: MilliValue };
}

export interface LimitTrace {
  /** The metrics' proposal, before windows and policies. */
  readonly proposed: number;
  /** What was put on record as this instant's recommendation, where a hold replaced the proposal. */
  readonly recorded?: number;
  readonly stabilized: number;
  readonly final: number;
  /** Reason of AbleToScale and of ScalingLimited. */
  readonly able: string;
  readonly limited?: string;
  readonly scaleUpLimit?: number;
  readonly scaleDownLimit?: number;
}
