import type { Read } from "#domain/fleet/snapshot";
import { type Cluster, decodeCluster } from "#wire/kubernetes/cluster";
import { faultOf, type LoadContext, readFault } from "./context.ts";
import type { AskedCluster } from "./object-metrics.ts";

/** The hub's Clusters by name. */
export type Clusters = Read<ReadonlyMap<string, Cluster>>;

export async function readClusters(context: LoadContext, needed: boolean): Promise<Clusters> {
  if (!needed) return { ok: true, value: new Map() };
  try {
    const objects = await context.cache.clusters(context.nowMs);
    const decoded = objects.map(decodeCluster).flatMap((read) => (read.ok ? [read.value] : []));
    return { ok: true, value: new Map(decoded.map((cluster) => [cluster.name, cluster])) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, "clusters-unreadable") };
  }
}

/** Why a bound cluster need not be asked; undefined where it is worth asking. */
export function notAsked(name: string, clusters: Clusters) {
  if (!clusters.ok) return clusters;
  const cluster = clusters.value.get(name);
  if (cluster === undefined)
    return readFault("clusters-unreadable", `clusters.cluster.karmada.io "${name}" not found`);
  return cluster.ready ? undefined : readFault("cluster-not-ready", `cluster ${name} is not Ready`);
}

/** Whether the hub may have no way to the cluster's API: its agent calls the hub, not the hub it (D-10). */
export function isPulled(name: string, clusters: Clusters): boolean {
  return clusters.ok && clusters.value.get(name)?.syncMode === "Pull";
}

/**
 * The clusters whose part of an Object metric is wanted: those that the binding names. The scheduler drops clusters
 * with 0 replicas from a binding, so at template 0 every cluster may have it.
 */
export function askedClusters(
  bound: readonly { readonly name: string }[],
  clusters: Clusters,
): readonly AskedCluster[] {
  const names =
    bound.length > 0 ? bound.map(({ name }) => name) : clusters.ok ? [...clusters.value.keys()] : [];
  return names.map((cluster) => {
    const refused = notAsked(cluster, clusters);
    return refused === undefined ? { cluster } : { cluster, fault: refused.fault };
  });
}
