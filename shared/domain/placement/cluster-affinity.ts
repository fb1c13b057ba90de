import type { Candidate } from "#domain/placement/assignment";
import { matches, type Selector } from "#domain/units/selector";

/** Which clusters a rule means: `policy.karmada.io/v1alpha1` ClusterAffinity without field selectors. */
export interface ClusterAffinity {
  /** Empty or absent means any name. */
  readonly clusterNames?: readonly string[];
  readonly exclude?: readonly string[];
  readonly labelSelector?: Selector;
}

/** Whether the rule means this cluster. Exclusion wins; an empty rule means every cluster. */
export function affinityMatches(affinity: ClusterAffinity, { name, labels }: Candidate): boolean {
  const { clusterNames = [], exclude = [], labelSelector } = affinity;
  if (exclude.includes(name)) return false;
  if (labelSelector !== undefined && !matches(labelSelector, labels)) return false;
  return clusterNames.length === 0 || clusterNames.includes(name);
}
