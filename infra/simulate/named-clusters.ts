import { isJsonObject, type KubeObject } from "#sim/api/object";

/** The clusters that policies name, in the order in which they do. */
export function namedClusters(manifests: readonly KubeObject[]): readonly string[] {
  const policies = manifests.filter(({ kind }) => /^(Cluster)?PropagationPolicy$/.test(kind));
  return [...new Set(policies.flatMap(({ spec }) => clusterNamesIn(spec?.placement)))];
}

/** Every `clusterNames` below: of affinities, and of the weights of divided replicas. */
function clusterNamesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(clusterNamesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    field === "clusterNames" && Array.isArray(inner) ? inner.map(String) : clusterNamesIn(inner),
  );
}
