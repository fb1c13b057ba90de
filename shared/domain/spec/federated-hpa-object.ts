import { objectMeta } from "./object-meta.ts";
import {
  always,
  type Decoded,
  decodeAs,
  int32,
  int64,
  list,
  type Of,
  pointer,
  quantity,
  struct,
  text,
  textMap,
  time,
  unlessZero,
} from "./shape.ts";

/**
 * The JSON of a FederatedHPA (`autoscaling.karmada.io/v1alpha1`), whose spec and status are made of autoscaling/v2
 * types. Quantities are canonical texts here, instants texts.
 */
export const objectReference = struct("CrossVersionObjectReference", {
  kind: always(text),
  name: always(text),
  apiVersion: unlessZero(text),
});
export type ObjectReference = Of<typeof objectReference>;

const selectorRequirement = struct("LabelSelectorRequirement", {
  key: always(text),
  operator: always(text),
  values: unlessZero(list(text, "string")),
});
const labelSelector = struct("LabelSelector", {
  matchLabels: unlessZero(textMap),
  matchExpressions: unlessZero(list(selectorRequirement, "v1.LabelSelectorRequirement")),
});

export type LabelSelectorObject = Of<typeof labelSelector>;

const metricIdentifier = struct("MetricIdentifier", { name: always(text), selector: pointer(labelSelector) });
export type MetricIdentifier = Of<typeof metricIdentifier>;

const metricTarget = struct("MetricTarget", {
  type: always(text),
  value: pointer(quantity),
  averageValue: pointer(quantity),
  averageUtilization: pointer(int32),
});
export type MetricTargetObject = Of<typeof metricTarget>;

const objectSource = struct("ObjectMetricSource", {
  describedObject: always(objectReference),
  target: always(metricTarget),
  metric: always(metricIdentifier),
});
const podsSource = struct("PodsMetricSource", {
  metric: always(metricIdentifier),
  target: always(metricTarget),
});
const resourceSource = struct("ResourceMetricSource", { name: always(text), target: always(metricTarget) });
const containerResourceSource = struct("ContainerResourceMetricSource", {
  name: always(text),
  target: always(metricTarget),
  container: always(text),
});
export const externalSource = struct("ExternalMetricSource", {
  metric: always(metricIdentifier),
  target: always(metricTarget),
});
export type ObjectSource = Of<typeof objectSource>;
export type PodsSource = Of<typeof podsSource>;
export type ResourceSource = Of<typeof resourceSource>;
export type ContainerResourceSource = Of<typeof containerResourceSource>;
export type ExternalSource = Of<typeof externalSource>;

const metricSpec = struct("MetricSpec", {
  type: always(text),
  object: pointer(objectSource),
  pods: pointer(podsSource),
  resource: pointer(resourceSource),
  containerResource: pointer(containerResourceSource),
  external: pointer(externalSource),
});
export type MetricSpecObject = Of<typeof metricSpec>;

const scalingPolicy = struct("HPAScalingPolicy", {
  type: always(text),
  value: always(int32),
  periodSeconds: always(int32),
});
export type ScalingPolicyObject = Of<typeof scalingPolicy>;

/** `policies` is a pointer here: Karmada's defaults stand in for a missing list, not for an empty one. */
const scalingRules = struct("HPAScalingRules", {
  stabilizationWindowSeconds: pointer(int32),
  selectPolicy: pointer(text),
  policies: pointer(list(scalingPolicy, "v2.HPAScalingPolicy")),
  tolerance: pointer(quantity),
});
export type ScalingRulesObject = Of<typeof scalingRules>;

const behavior = struct("HorizontalPodAutoscalerBehavior", {
  scaleUp: pointer(scalingRules),
  scaleDown: pointer(scalingRules),
});
export type BehaviorObject = Of<typeof behavior>;

const federatedHpaSpec = struct("FederatedHPASpec", {
  scaleTargetRef: always(objectReference),
  minReplicas: pointer(int32),
  maxReplicas: always(int32),
  metrics: unlessZero(list(metricSpec, "v2.MetricSpec")),
  behavior: pointer(behavior),
});
export type FederatedHpaSpecObject = Of<typeof federatedHpaSpec>;

const metricValue = struct("MetricValueStatus", {
  value: pointer(quantity),
  averageValue: pointer(quantity),
  averageUtilization: pointer(int32),
});
const metricStatus = struct("MetricStatus", {
  type: always(text),
  object: pointer(
    struct("ObjectMetricStatus", {
      metric: always(metricIdentifier),
      current: always(metricValue),
      describedObject: always(objectReference),
    }),
  ),
  pods: pointer(
    struct("PodsMetricStatus", { metric: always(metricIdentifier), current: always(metricValue) }),
  ),
  resource: pointer(struct("ResourceMetricStatus", { name: always(text), current: always(metricValue) })),
  containerResource: pointer(
    struct("ContainerResourceMetricStatus", {
      name: always(text),
      current: always(metricValue),
      container: always(text),
    }),
  ),
  external: pointer(
    struct("ExternalMetricStatus", { metric: always(metricIdentifier), current: always(metricValue) }),
  ),
});
export type MetricStatusObject = Of<typeof metricStatus>;

const condition = struct("HorizontalPodAutoscalerCondition", {
  type: always(text),
  status: always(text),
  lastTransitionTime: pointer(time),
  reason: unlessZero(text),
  message: unlessZero(text),
});

const federatedHpaStatus = struct("HorizontalPodAutoscalerStatus", {
  observedGeneration: pointer(int64),
  lastScaleTime: pointer(time),
  currentReplicas: unlessZero(int32),
  desiredReplicas: always(int32),
  currentMetrics: always(list(metricStatus, "v2.MetricStatus")),
  conditions: unlessZero(list(condition, "v2.HorizontalPodAutoscalerCondition")),
});
export type FederatedHpaStatusObject = Of<typeof federatedHpaStatus>;

const federatedHpa = struct("FederatedHPA", {
  kind: unlessZero(text),
  apiVersion: unlessZero(text),
  metadata: always(objectMeta),
  spec: always(federatedHpaSpec),
  status: always(federatedHpaStatus),
});
export type FederatedHpaObject = Of<typeof federatedHpa>;

/** The object as Karmada's types hold it, and what of it does not fit these types. */
export function decodeFederatedHpaObject(value: unknown): Decoded<FederatedHpaObject> {
  return decodeAs(federatedHpa, value, "FederatedHPA");
}
