import type { MetricSpec } from "#domain/spec/federated-hpa";

/** Karmada's words for one metric; reasons, events and messages are made of them (semantics 4.1). */
export interface MetricWords {
  /** In `… above target` and `calculate a replica count from …`. */
  readonly name: string;
  /** Event and condition reason when the metric cannot be computed. */
  readonly failedReason: string;
  /** What a fault's own message is prefixed with in the metric's event and condition. */
  readonly prefix: string;
  /** … and once more in the summary of all metrics. */
  readonly summaryPrefix: string;
}

export function metricWords(metric: MetricSpec): MetricWords {
  switch (metric.type) {
    case "Resource":
      return {
        name: resourceName(metric.name, "resource", metric.target.averageValue !== undefined),
        failedReason: "FailedGetResourceMetric",
        prefix: `failed to get ${metric.name} utilization: `,
        summaryPrefix: `failed to get ${metric.name} resource metric value: `,
      };
    case "ContainerResource":
      return {
        name: resourceName(metric.name, "container resource", metric.target.averageValue !== undefined),
        failedReason: "FailedGetContainerResourceMetric",
        prefix: `failed to get ${metric.name} utilization: `,
        summaryPrefix: `failed to get ${metric.container} container metric value: `,
      };
    case "Pods":
      return {
        name: `pods metric ${metric.name}`,
        failedReason: "FailedGetPodsMetric",
        prefix: "",
        summaryPrefix: "failed to get pods metric value: ",
      };
    case "Object":
      return {
        name:
          metric.target.type === "AverageValue"
            ? externalName(metric.name, metric.selector)
            : `${metric.describedObject.kind} metric ${metric.name}`,
        failedReason: "FailedGetObjectMetric",
        prefix: "",
        summaryPrefix: "failed to get object metric value: ",
      };
    case "External":
      return {
        name: externalName(metric.name, metric.selector),
        failedReason: "FailedGetExternalMetric",
        prefix: "",
        summaryPrefix: `failed to get ${metric.name} external metric value: `,
      };
    default:
      return UNKNOWN_TYPE;
  }
}

/** What a metric of a type that is unknown, or refused by policy, is called. */
export const UNKNOWN_TYPE: MetricWords = {
  name: "",
  failedReason: "InvalidMetricSourceType",
  prefix: "",
  summaryPrefix: "",
};

function resourceName(resource: string, kind: string, byAverageValue: boolean): string {
  return byAverageValue ? `${resource} resource` : `${resource} ${kind} utilization (percentage of request)`;
}

/** Karmada calls an Object metric by average value "external" too, and prints an absent selector as Go does. */
function externalName(name: string, selector: string): string {
  return `external metric ${name}(${selector === "" ? "nil" : selector})`;
}
