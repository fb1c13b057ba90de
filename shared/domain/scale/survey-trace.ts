import type { ClusterPods } from "#domain/fleet/group-pods";
import type { Member } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import type { ClusterTrace } from "#domain/scale/decision";

/** One line per bound cluster, in the order of the binding: what it runs, or why it is out. */
export function traceClusters(
  members: readonly Member[],
  { visible, gaps }: Survey,
): readonly ClusterTrace[] {
  const seen = new Map(visible.map((member) => [member.cluster, member]));
  const out = new Map(gaps.map(({ cluster, fault }) => [cluster, fault]));
  return members.map(({ cluster, scale }) => {
    const gap = out.get(cluster);
    const { specReplicas, statusReplicas } = seen.get(cluster) ?? (scale.ok ? scale.value : {});
    return {
      cluster,
      ...(specReplicas === undefined ? {} : { specReplicas }),
      ...(statusReplicas === undefined ? {} : { statusReplicas }),
      ...(gap === undefined ? {} : { gap }),
    };
  });
}

/** The same lines with the pods as the first metric that is measured pod by pod grouped them. */
export function withPods(
  clusters: readonly ClusterTrace[],
  counted: readonly ClusterPods[],
): readonly ClusterTrace[] {
  const podsOf = new Map(counted.map(({ cluster, ...pods }) => [cluster, pods]));
  return clusters.map((line) => {
    const pods = podsOf.get(line.cluster);
    return pods === undefined ? line : { ...line, pods };
  });
}
