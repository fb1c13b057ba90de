import { parseQuantity, quantitySign } from "#domain/units/quantity";
import { readLabelSelector } from "#domain/units/selector-object";
import { behaviorFaults } from "./behavior-faults.ts";
import type { FederatedHpaSpecObject, MetricIdentifier, MetricSpecObject } from "./federated-hpa-object.ts";
import { type FieldFault, invalidValue, requiredValue } from "./field-fault.ts";
import { METRIC_TYPES, metricFaults } from "./metric-faults.ts";
import { objectReferenceFaults } from "./object-reference.ts";
import { boundsFaults } from "./validate-federated-hpa.ts";

/**
 * What keeps a stored, defaulted spec from being decided on (D-16). As the webhook, with these differences:
 *
 * 1. External and minReplicas 0 are taken (D-17); whether they are followed is policy.
 * 2. A metric of unknown type, or a resource without a target, is not the spec's fault but that metric's failure, as
 *    in Karmada's controller: the others still count.
 * 3. An Object target of type Value needs its `value`, of type AverageValue its `averageValue` (B16; upstream
 *    dereferences nil).
 * 4. Tolerances are ≥ 0, and the metrics' selectors can be read.
 */
export function storedSpecFaults(spec: FederatedHpaSpecObject): FieldFault[] {
  const { metrics = [], behavior } = spec;
  return [
    ...boundsFaults(spec, 0),
    ...objectReferenceFaults(spec.scaleTargetRef, "spec.scaleTargetRef"),
    ...metrics.flatMap((metric, index) => storedMetricFaults(metric, `spec.metrics[${index}]`)),
    ...(behavior === undefined ? [] : behaviorFaults(behavior, "spec.behavior")),
    ...(["scaleUp", "scaleDown"] as const).flatMap((direction) =>
      toleranceFaults(behavior?.[direction]?.tolerance, `spec.behavior.${direction}.tolerance`),
    ),
  ];
}

function storedMetricFaults(metric: MetricSpecObject, path: string): FieldFault[] {
  if (!METRIC_TYPES.includes(metric.type)) return [];
  const missingTarget = /\.target\.averageUtilization$/;
  const { object, pods, external } = metric;
  return [
    ...metricFaults(metric, path, true).filter(
      (fault) => fault.code !== "FieldValueRequired" || !missingTarget.test(fault.path),
    ),
    ...(object === undefined ? [] : targetFieldFaults(object.target, `${path}.object.target`)),
    ...selectorFaults(object?.metric, `${path}.object.metric`),
    ...selectorFaults(pods?.metric, `${path}.pods.metric`),
    ...selectorFaults(external?.metric, `${path}.external.metric`),
  ];
}

function targetFieldFaults(
  { type, value, averageValue }: NonNullable<MetricSpecObject["object"]>["target"],
  path: string,
): FieldFault[] {
  if (type === "Value" && value === undefined && averageValue !== undefined) {
    return [requiredValue(`${path}.value`, "must be set for a target of type Value")];
  }
  if (type === "AverageValue" && averageValue === undefined && value !== undefined) {
    return [requiredValue(`${path}.averageValue`, "must be set for a target of type AverageValue")];
  }
  return [];
}

/** What is wrong with the selector of a metric; series could be read that nobody meant. */
export function selectorFaults(metric: MetricIdentifier | undefined, path: string): FieldFault[] {
  if (metric?.selector === undefined) return [];
  return readLabelSelector(metric.selector).faults.map((fault) =>
    invalidValue(`${path}.selector.${fault.path}`, metric.selector, fault.detail),
  );
}

function toleranceFaults(tolerance: string | undefined, path: string): FieldFault[] {
  if (tolerance === undefined) return [];
  const parsed = parseQuantity(tolerance);
  if (parsed.ok && quantitySign(parsed.value) !== -1) return [];
  return [invalidValue(path, tolerance, "must be greater than or equal to 0")];
}
