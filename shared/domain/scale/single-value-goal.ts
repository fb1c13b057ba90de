import type { ExternalMetric, ObjectMetric } from "#domain/spec/federated-hpa";
import type { MilliValue } from "#domain/units/milli";

export interface SingleValueGoal {
  readonly target: MilliValue;
  /** Whether the target is a share per pod, not the whole value. */
  readonly perPod: boolean;
}

/**
 * What an Object or External metric aims at; undefined if its target does not say. An Object metric's `type` must name
 * the field that is set: `AverageValue` with `value` never means an average (B16). An External metric's field decides.
 */
export function singleValueGoal({
  type,
  target,
}: ObjectMetric | ExternalMetric): SingleValueGoal | undefined {
  const { value, averageValue } = target;
  const byType = type === "Object";
  if (averageValue !== undefined && (!byType || target.type === "AverageValue")) {
    return { target: averageValue, perPod: true };
  }
  if (value !== undefined && (!byType || target.type === "Value")) return { target: value, perPod: false };
  return undefined;
}
