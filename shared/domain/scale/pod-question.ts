import type { PodQuestion } from "#domain/fleet/group-pods";
import type {
  ContainerResourceMetric,
  MetricSpec,
  PodsMetric,
  ResourceMetric,
} from "#domain/spec/federated-hpa";

/** A metric that is measured pod by pod. */
export type PerPodMetric = ResourceMetric | ContainerResourceMetric | PodsMetric;

export function isPerPod(metric: MetricSpec): metric is PerPodMetric {
  return metric.type === "Resource" || metric.type === "ContainerResource" || metric.type === "Pods";
}

/** What a metric asks of each pod. Requests count for a target in percent of them. */
export function podQuestion(metric: PerPodMetric): PodQuestion {
  if (metric.type === "Pods") return { withRequests: false };
  return {
    resource: metric.name,
    ...(metric.type === "ContainerResource" ? { container: metric.container } : {}),
    withRequests: metric.target.averageValue === undefined,
  };
}
