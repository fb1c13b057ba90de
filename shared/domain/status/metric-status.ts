import type { MetricSpec, MetricStatus } from "#domain/spec/federated-hpa";

/** The entry of `status.currentMetrics` for a metric that was computed; a failed one has none (D-15, B107). */
export function metricStatus(metric: MetricSpec, current: MetricStatus["current"]): MetricStatus {
  const { type, name } = metric;
  switch (metric.type) {
    case "ContainerResource":
      return { type, name, container: metric.container, current };
    case "Object":
      return { type, name, ...selectorOf(metric), describedObject: metric.describedObject, current };
    case "Pods":
    case "External":
      return { type, name, ...selectorOf(metric), current };
    default:
      return { type, name, current };
  }
}

function selectorOf({ selector }: { readonly selector: string }): { readonly selector?: string } {
  return selector === "" ? {} : { selector };
}
