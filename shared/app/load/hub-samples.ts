import type { Pod, PodSample } from "#domain/fleet/pod";
import { isServing } from "#domain/fleet/readiness";
import type { Member, Read, ReadFault } from "#domain/fleet/snapshot";
import type { ContainerResourceMetric, PodsMetric, ResourceMetric } from "#domain/spec/federated-hpa";
import { readMetricValues, readPodMetrics } from "#wire/pod-metrics";

/** Where Karmada's metrics adapter says which cluster a PodMetrics is of. */
const FROM_CLUSTER = "resource.karmada.io/query-from-cluster";

/** After so long a Ready pod has a sample, wherever metrics are read at all. */
const SAMPLED_AFTER_MS = 120_000;

export type PerPodMetric = ResourceMetric | ContainerResourceMetric | PodsMetric;

/**
 * The samples of each bound cluster among the items that the hub's metrics API has of all clusters, aligned with
 * `members`. What is of no bound cluster drops out (C04).
 *
 * An item that does not say its cluster is of the one that has a pod of its name. Where several have, the adapter has
 * added them up or dropped one: then nothing of the answer can be relied on. A cluster of which there is nothing, though
 * its pods are Ready for long, was left out by the adapter; that is a gap, not pods without load.
 */
export function hubSamples(
  metric: PerPodMetric,
  items: Read<readonly unknown[]>,
  members: readonly Member[],
  nowMs: number,
): readonly Read<readonly PodSample[]>[] {
  if (!items.ok) return members.map(() => items);
  const pods = members.map(({ pods }) => new Map(pods.ok ? pods.value.map((pod) => [pod.name, pod]) : []));
  const ofMember: unknown[][] = members.map(() => []);
  for (const item of items.value) {
    const { name, cluster } = identityOf(item, metric);
    const holders = [...members.keys()].filter((index) => pods[index]?.has(name));
    if (cluster !== undefined) {
      ofMember[members.findIndex((member) => member.cluster === cluster)]?.push(item);
    } else if (holders.length > 1) {
      const where = holders.map((index) => members[index]?.cluster).join(" and ");
      const message = `the hub's metrics adapter has one value for the pods ${name} of ${where}; read the members' own metrics`;
      const fault: ReadFault = { code: "metric-unreadable", message };
      return members.map(() => ({ ok: false, fault }));
    } else ofMember[holders[0] ?? -1]?.push(item);
  }
  return members.map(({ cluster }, index): Read<readonly PodSample[]> => {
    const own = ofMember[index] ?? [];
    if (own.length === 0 && [...(pods[index]?.values() ?? [])].some((pod) => isOverdue(pod, nowMs))) {
      const message = `the hub's metrics adapter has nothing of cluster ${cluster}`;
      return { ok: false, fault: { code: "metric-empty", message } };
    }
    return { ok: true, value: samplesIn(metric, own) };
  });
}

/** The samples of a metric in the items of one cluster. */
export function samplesIn(metric: PerPodMetric, items: readonly unknown[]): readonly PodSample[] {
  if (metric.type === "Pods") return readMetricValues(items).samples;
  const query =
    metric.type === "ContainerResource"
      ? { resource: metric.name, container: metric.container }
      : { resource: metric.name };
  return readPodMetrics(items, query).samples;
}

interface Identified {
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly describedObject?: { readonly name?: string };
}

function identityOf(
  item: unknown,
  { type }: PerPodMetric,
): { readonly name: string; readonly cluster: string | undefined } {
  const { metadata, describedObject } = (item ?? {}) as Identified;
  const name = type === "Pods" ? describedObject?.name : metadata?.name;
  return { name: name ?? "", cluster: metadata?.annotations?.[FROM_CLUSTER] };
}

function isOverdue(pod: Pod, nowMs: number): boolean {
  return isServing(pod) && pod.ready !== undefined && nowMs - pod.ready.sinceMs > SAMPLED_AFTER_MS;
}
