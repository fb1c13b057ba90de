import type { MetricReading } from "#domain/fleet/snapshot";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import { readMetricSources } from "#domain/spec/metric-sources";
import type { LoadContext } from "./context.ts";
import { openExternalMetrics } from "./external-metrics.ts";
import { type AskedCluster, openObjectMetrics } from "./object-metrics.ts";

/** What is known of an object's metrics beside the samples of its pods, aligned with `spec.metrics`. */
export type MetricReadings = (
  object: FederatedHpa,
  clusters: readonly AskedCluster[],
) => Promise<readonly MetricReading[]>;

/** The Object and External metrics of one invocation; `objects` are all that it is about. */
export function openMetricReadings(
  context: LoadContext,
  objects: () => Promise<readonly FederatedHpa[]>,
): MetricReadings {
  const ofObjects = openObjectMetrics(context);
  const external = openExternalMetrics(context.external ?? {}, context.nowMs, objects);

  async function readingOf(
    object: FederatedHpa,
    metric: MetricSpec,
    clusters: readonly AskedCluster[],
  ): Promise<MetricReading> {
    if (metric.type === "External") return external(object, metric);
    if (metric.type !== "Object") return { kind: "per-pod" };
    const { from, objectMetric } = readMetricSources(object.annotations).value;
    return from === "hub"
      ? ofObjects.ofHub(object.namespace, metric, clusters)
      : ofObjects.ofMembers(object.namespace, metric, clusters, objectMetric);
  }

  return (object, clusters) =>
    Promise.all(object.spec.metrics.map((metric) => readingOf(object, metric, clusters)));
}
