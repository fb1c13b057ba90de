import type { Pod, PodSample } from "#domain/fleet/pod";
import type { Read } from "#domain/fleet/snapshot";
import type { FederatedHpa, MetricSpec, PodsMetric } from "#domain/spec/federated-hpa";
import { readMetricSources } from "#domain/spec/metric-sources";
import { samplesIn } from "./hub-samples.ts";
import type { MemberWorld } from "./member.ts";

/** What an object needs of each member's metrics APIs; nothing where it has its metrics from the hub. */
export function metricNeeds({ spec, annotations }: FederatedHpa): {
  readonly podMetrics: boolean;
  readonly podsMetrics: readonly PodsMetric[];
} {
  if (readMetricSources(annotations).value.from === "hub") return { podMetrics: false, podsMetrics: [] };
  return {
    podMetrics: spec.metrics.some(({ type }) => type === "Resource" || type === "ContainerResource"),
    podsMetrics: spec.metrics.filter((metric) => metric.type === "Pods"),
  };
}

/** The samples that a member's own metrics APIs have of these pods; none of a metric that has no samples. */
export function memberSamples(
  metric: MetricSpec,
  pods: Read<readonly Pod[]>,
  { podMetrics, podValues }: MemberWorld,
): Read<readonly PodSample[]> {
  if (metric.type === "Object" || metric.type === "External" || !pods.ok) return { ok: true, value: [] };
  if (metric.type === "Pods") {
    const values = podValues(metric);
    if (!values.ok) return values;
    const names = new Set(pods.value.map(({ name }) => name));
    return { ok: true, value: samplesIn(metric, values.value).filter(({ pod }) => names.has(pod)) };
  }
  if (!podMetrics.ok) return podMetrics;
  const items = pods.value.flatMap(({ name }) => podMetrics.value.get(name) ?? []);
  return { ok: true, value: samplesIn(metric, items) };
}
