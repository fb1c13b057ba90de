import type { ClusterLine } from "./timeline.ts";

/** So many clusters have a layer of their own; the smaller ones beyond are one. */
const LAYERS = 8;

/** The clusters as layers of a chart, in their order; a fleet of many has its largest, and the others as one. */
export function clusterLayers(clusters: readonly ClusterLine[]): readonly ClusterLine[] {
  if (clusters.length <= LAYERS) return clusters;
  const largest = new Map(
    clusters.map((cluster) => [
      cluster,
      cluster.replicas.reduce<number>((most, n) => Math.max(most, n ?? 0), 0),
    ]),
  );
  const bySize = [...clusters].sort((a, b) => (largest.get(b) ?? 0) - (largest.get(a) ?? 0));
  const own = new Set(bySize.slice(0, LAYERS - 1));
  const rest = clusters.filter((cluster) => !own.has(cluster));
  const others = (rest[0]?.replicas ?? []).map((_, index) =>
    rest.reduce((sum, { replicas }) => sum + (replicas[index] ?? 0), 0),
  );
  return [
    ...clusters.filter((cluster) => own.has(cluster)),
    { name: `${rest.length} others`, replicas: others },
  ];
}
