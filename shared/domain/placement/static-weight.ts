import type { Assignment, Candidate } from "#domain/placement/assignment";
import { affinityMatches, type ClusterAffinity } from "#domain/placement/cluster-affinity";
import { shareByWeight } from "#domain/placement/share";
import type { NameOrder } from "#domain/placement/webster";

export interface StaticWeight {
  readonly targetCluster: ClusterAffinity;
  /** ≥ 0. */
  readonly weight: number;
}

/**
 * `replicas` divided by the policy's weights, from zero each time: neither capacity nor the previous division counts
 * (semantics 4.8, "Static"). A cluster that several rules mean has the greatest weight; one that none means is left
 * out; where no candidate has a weight, all weigh 1. So do they without any rules.
 *
 * @example 9 over 40:35:25 are 4/3/2, 6 over 33:33:34 are 2/2/2, 9 over 1:3 are 2/7 (systems P1).
 */
export function divideByStaticWeight(
  replicas: number,
  candidates: readonly Candidate[],
  weights: readonly StaticWeight[],
  order: NameOrder,
): readonly Assignment[] {
  const weighted = candidates
    .map((candidate) => ({ name: candidate.name, replicas: weightOf(candidate, weights) }))
    .filter(({ replicas: weight }) => weight > 0);
  const even = candidates.map(({ name }) => ({ name, replicas: 1 }));
  return shareByWeight(replicas, weighted.length === 0 ? even : weighted, order);
}

function weightOf(candidate: Candidate, weights: readonly StaticWeight[]): number {
  return weights
    .filter(({ targetCluster }) => affinityMatches(targetCluster, candidate))
    .reduce((greatest, { weight }) => Math.max(greatest, weight), 0);
}
