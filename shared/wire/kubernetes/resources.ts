import type { ResourceRef } from "#ports/kubernetes";

/** The resources that are read by name; everything else is found by discovery. */
export const FEDERATED_HPAS: ResourceRef = {
  group: "autoscaling.karmada.io",
  version: "v1alpha1",
  resource: "federatedhpas",
};
export const CRON_FEDERATED_HPAS: ResourceRef = { ...FEDERATED_HPAS, resource: "cronfederatedhpas" };
export const RESOURCE_BINDINGS: ResourceRef = {
  group: "work.karmada.io",
  version: "v1alpha2",
  resource: "resourcebindings",
};
export const CLUSTERS: ResourceRef = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
};
export const CRDS: ResourceRef = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};
export const PODS: ResourceRef = { group: "", version: "v1", resource: "pods" };
export const POD_METRICS: ResourceRef = { group: "metrics.k8s.io", version: "v1beta1", resource: "pods" };
export const CONFIG_MAPS: ResourceRef = { group: "", version: "v1", resource: "configmaps" };
export const EVENTS: ResourceRef = { group: "", version: "v1", resource: "events" };

const APPS = { group: "apps", version: "v1" };

/** Built-in kinds, whose resource needs no discovery; keyed by `apiVersion/Kind`. */
export const KNOWN_KINDS: Readonly<Record<string, ResourceRef>> = {
  "apps/v1/Deployment": { ...APPS, resource: "deployments" },
  "apps/v1/StatefulSet": { ...APPS, resource: "statefulsets" },
  "apps/v1/ReplicaSet": { ...APPS, resource: "replicasets" },
};

/** Built-in kinds that Object metrics describe, as they are called in the paths of custom metrics. */
export const DESCRIBED_KINDS: Readonly<Record<string, string>> = {
  "v1/Service": "services",
  "v1/Pod": "pods",
  "networking.k8s.io/v1/Ingress": "ingresses.networking.k8s.io",
  "apps/v1/Deployment": "deployments.apps",
  "apps/v1/StatefulSet": "statefulsets.apps",
};
