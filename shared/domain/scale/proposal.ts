import type { PodGroups } from "#domain/fleet/group-pods";
import type { Tolerance } from "#domain/scale/tolerance";
import type { MilliValue } from "#domain/units/milli";
import { clampReplicas } from "#domain/units/replicas";

/** What one metric asks for, or why it cannot say. */
export type Proposal = Proposed | { readonly ok: false; readonly fault: MetricFault };

export interface Proposed {
  readonly ok: true;
  /** In the template's terms; 0..2^31 − 1, before min, max, windows and policies. */
  readonly replicas: number;
  /** Current ÷ target, with pods filled in where some were missing or unready. */
  readonly usageRatio: number;
  readonly withinTolerance: boolean;
  /** What was measured, without fills. */
  readonly current: CurrentValue;
  readonly groups?: PodGroups;
}

export interface CurrentValue {
  /** Percent of the request, cut to whole percent; 0..2^31 − 1. */
  readonly averageUtilization?: number;
  readonly averageValue?: MilliValue;
  readonly value?: MilliValue;
}

export interface MetricFault {
  readonly code: MetricFaultCode;
  /** Karmada's words, so that what users search for finds the same answers. */
  readonly message: string;
}

export type MetricFaultCode =
  /** The metrics API did not answer, or had nothing to say. */
  | "metrics-unavailable"
  /** The value lacks the part of a cluster and would scale in (B46). */
  | "value-incomplete"
  /** A value or target that no count can be computed from: negative, NaN, a target of 0. */
  | "value-invalid"
  | "no-pods"
  | "missing-request"
  /** Every pod is pending, unready, being deleted or without a sample. */
  | "no-ready-metrics"
  /** The measured pods ask for nothing, so there is nothing to be a percentage of. */
  | "no-matching-requests"
  /** The target sets none of the fields that this kind of metric knows. */
  | "target-missing"
  /** A metric type that is unknown or refused by policy. */
  | "type-unknown";

/** The counts that every proposal is made against. */
export interface Footing {
  /** The template's replicas, or what is placed while the members lag behind it (B53). */
  readonly currentReplicas: number;
  /** Σ members' spec.replicas ÷ `currentReplicas`; > 0 wherever pods are counted (semantics 4.5). */
  readonly calibration: number;
  readonly tolerance: Tolerance;
}

export function refuse(code: MetricFaultCode, message: string): Proposal {
  return { ok: false, fault: { code, message } };
}

/**
 * ceil(ratio × pods ÷ calibration) as a count, or `undefined` if that is no finite number (a target or calibration of
 * 0). Calibration turns members' pods into the template's: 2 clusters × 2 pods at ratio 2, duplicated from a template
 * of 2, are ceil(2 × 4 ÷ 2) = 4 per cluster. Huge counts are cut, never wrapped: 4e10 → 2147483647 (B05).
 */
export function countFor(ratio: number, pods: number, calibration: number): number | undefined {
  const count = Math.ceil((ratio * pods) / calibration);
  return Number.isFinite(count) ? clampReplicas(count) : undefined;
}
