import type { Schema } from "#sim/api/schema";
import type { CrdSpec } from "./crd.ts";
import {
  bool,
  described,
  int32,
  int64,
  keyedList,
  labelSelector,
  list,
  object,
  quantity,
  text,
  time,
} from "./schema-terms.ts";

/**
 * The two CustomResourceDefinitions of `autoscaling.karmada.io`. Fields, bounds and columns are those of karmada
 * f8fdd02 charts/karmada/_crds/bases/autoscaling; descriptions are ours.
 */

const GROUP = "autoscaling.karmada.io";

const crossReference = object({ "kind!": text, "name!": text, apiVersion: text });
const metricIdentifier = object({ "name!": text, selector: labelSelector });

const metricTarget = object({
  "type!": described(text, "Utilization, Value or AverageValue."),
  value: quantity,
  averageValue: quantity,
  averageUtilization: described(int32, "Percent of the requests of the pods."),
});
const metricValue = object({ value: quantity, averageValue: quantity, averageUtilization: int32 });

/** The five kinds of metric, with `target` (spec) or `current` (status) in each. */
function metrics(part: "target" | "current", value: Schema): Readonly<Record<string, Schema>> {
  const field = `${part}!`;
  return {
    "type!": described(text, "Resource, ContainerResource, Pods, Object or External."),
    resource: object({ "name!": text, [field]: value }),
    containerResource: object({ "name!": text, "container!": text, [field]: value }),
    pods: object({ "metric!": metricIdentifier, [field]: value }),
    object: object({ "describedObject!": crossReference, "metric!": metricIdentifier, [field]: value }),
    external: object({ "metric!": metricIdentifier, [field]: value }),
  };
}

const atomicList = (items: Schema): Schema => ({ ...list(items), "x-kubernetes-list-type": "atomic" });

const scalingRules = object({
  stabilizationWindowSeconds: described(int32, "Seconds of past recommendations that count, 0 to 3600."),
  selectPolicy: described(text, "Max, Min or Disabled; Max by default."),
  policies: atomicList(object({ "type!": text, "value!": int32, "periodSeconds!": int32 })),
  tolerance: described(quantity, "Fraction of the target within which nothing is scaled."),
});

const federatedHpaSpec = object({
  "scaleTargetRef!": described(crossReference, "The resource template to scale."),
  "maxReplicas!": described(int32, "Upper limit of the replicas over all clusters."),
  minReplicas: described(int32, "Lower limit of the replicas over all clusters; 1 by default."),
  metrics: list(object(metrics("target", metricTarget))),
  behavior: object({ scaleUp: scalingRules, scaleDown: scalingRules }),
});

const federatedHpaStatus = object({
  "desiredReplicas!": int32,
  currentReplicas: int32,
  observedGeneration: int64,
  lastScaleTime: time,
  currentMetrics: atomicList(object(metrics("current", metricValue))),
  conditions: keyedList(
    object({ "type!": text, "status!": text, lastTransitionTime: time, reason: text, message: text }),
    "type",
  ),
});

export const FEDERATED_HPA_CRD: CrdSpec = {
  group: GROUP,
  scope: "Namespaced",
  names: {
    plural: "federatedhpas",
    kind: "FederatedHPA",
    shortNames: ["fhpa"],
    categories: ["karmada-io"],
  },
  versions: [
    {
      name: "v1alpha1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "REFERENCE-KIND", type: "string", jsonPath: ".spec.scaleTargetRef.kind" },
        { name: "REFERENCE-NAME", type: "string", jsonPath: ".spec.scaleTargetRef.name" },
        { name: "MINPODS", type: "integer", jsonPath: ".spec.minReplicas" },
        { name: "MAXPODS", type: "integer", jsonPath: ".spec.maxReplicas" },
        { name: "REPLICAS", type: "integer", jsonPath: ".status.currentReplicas" },
        { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      schema: {
        openAPIV3Schema: object(
          { "spec!": federatedHpaSpec, status: federatedHpaStatus },
          { description: "FederatedHPA scales a workload by the metrics of all clusters it runs in." },
        ),
      },
    },
  ],
};

const historyLimit = (minimum: number): Schema => ({ ...int32, default: 3, minimum, maximum: 32 });

const cronRule = object({
  "name!": { ...text, minLength: 1, maxLength: 32 },
  "schedule!": described(text, "Cron expression."),
  targetReplicas: int32,
  targetMinReplicas: int32,
  targetMaxReplicas: int32,
  suspend: { ...bool, default: false },
  timeZone: described(text, "IANA time zone of the schedule."),
  successfulHistoryLimit: historyLimit(1),
  failedHistoryLimit: historyLimit(0),
});

const cronStatus = object({
  executionHistories: list(
    object({
      "ruleName!": text,
      nextExecutionTime: time,
      successfulExecutions: list(
        object({
          "scheduleTime!": time,
          "executionTime!": time,
          appliedReplicas: int32,
          appliedMinReplicas: int32,
          appliedMaxReplicas: int32,
        }),
      ),
      failedExecutions: list(object({ "scheduleTime!": time, "executionTime!": time, "message!": text })),
    }),
  ),
});

export const CRON_FEDERATED_HPA_CRD: CrdSpec = {
  group: GROUP,
  scope: "Namespaced",
  names: {
    plural: "cronfederatedhpas",
    kind: "CronFederatedHPA",
    shortNames: ["cronfhpa"],
    categories: ["karmada-io"],
  },
  versions: [
    {
      name: "v1alpha1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "REFERENCE-KIND", type: "string", jsonPath: ".spec.scaleTargetRef.kind" },
        { name: "REFERENCE-NAME", type: "string", jsonPath: ".spec.scaleTargetRef.name" },
        { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      schema: {
        openAPIV3Schema: object(
          {
            "spec!": object({ "scaleTargetRef!": crossReference, "rules!": list(cronRule) }),
            status: cronStatus,
          },
          { description: "CronFederatedHPA scales a workload or a FederatedHPA by the clock." },
        ),
      },
    },
  ],
};
