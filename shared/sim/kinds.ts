import type { StoredResource } from "#sim/api/store";

/** The resources that the fleet itself acts on. */
export const KINDS = {
  namespaces: { group: "", version: "v1", resource: "namespaces", kind: "Namespace" },
  pods: { group: "", version: "v1", resource: "pods", kind: "Pod" },
  deployments: { group: "apps", version: "v1", resource: "deployments", kind: "Deployment" },
  replicaSets: { group: "apps", version: "v1", resource: "replicasets", kind: "ReplicaSet" },
  statefulSets: { group: "apps", version: "v1", resource: "statefulsets", kind: "StatefulSet" },
  cloneSets: { group: "apps.kruise.io", version: "v1alpha1", resource: "clonesets", kind: "CloneSet" },
  clusters: { group: "cluster.karmada.io", version: "v1alpha1", resource: "clusters", kind: "Cluster" },
  policies: {
    group: "policy.karmada.io",
    version: "v1alpha1",
    resource: "propagationpolicies",
    kind: "PropagationPolicy",
  },
  clusterPolicies: {
    group: "policy.karmada.io",
    version: "v1alpha1",
    resource: "clusterpropagationpolicies",
    kind: "ClusterPropagationPolicy",
  },
  bindings: {
    group: "work.karmada.io",
    version: "v1alpha2",
    resource: "resourcebindings",
    kind: "ResourceBinding",
  },
  podMetrics: { group: "metrics.k8s.io", version: "v1beta1", resource: "pods", kind: "PodMetrics" },
  loads: { group: "mainsheet.io", version: "v1alpha1", resource: "loads", kind: "Load" },
  scenarios: { group: "mainsheet.io", version: "v1alpha1", resource: "scenarios", kind: "Scenario" },
} as const satisfies Record<string, Kind>;

export interface Kind extends StoredResource {
  readonly version: string;
  readonly kind: string;
}

/** Whether a change is one of this resource. */
export function isOf(change: StoredResource, kind: StoredResource): boolean {
  return change.resource === kind.resource && change.group === kind.group;
}
