import type { Schema } from "#sim/api/schema";

/**
 * What the Kubernetes client's models do not say of the built-in types: which fields are required, how lists merge, which
 * defaults and bounds hold.
 * Ref: kubernetes v1.36 api/openapi-spec, `required`, `x-kubernetes-list-*`, `x-kubernetes-patch-*`.
 */

function keyed(mergeKey: string, ...keys: readonly string[]): Schema {
  return {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys.length === 0 ? [mergeKey] : keys,
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": mergeKey,
  };
}

/** By `Type.field`; `conditions` counts for every type. Lists that are not here are replaced whole. */
export const FIELD_RULES: Readonly<Record<string, Schema>> = {
  conditions: keyed("type"),
  "PodSpec.containers": keyed("name"),
  "PodSpec.initContainers": keyed("name"),
  "PodSpec.ephemeralContainers": keyed("name"),
  "PodSpec.hostAliases": keyed("ip"),
  "PodSpec.imagePullSecrets": keyed("name"),
  "PodSpec.resourceClaims": keyed("name"),
  "PodSpec.schedulingGates": keyed("name"),
  "PodSpec.topologySpreadConstraints": keyed("topologyKey", "topologyKey", "whenUnsatisfiable"),
  "PodSpec.volumes": { ...keyed("name"), "x-kubernetes-patch-strategy": "merge,retainKeys" },
  "PodStatus.hostIPs": {
    "x-kubernetes-list-type": "atomic",
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "ip",
  },
  "PodStatus.podIPs": keyed("ip"),
  "Container.env": keyed("name"),
  "Container.ports": keyed("containerPort", "containerPort", "protocol"),
  "Container.volumeDevices": keyed("devicePath"),
  "Container.volumeMounts": keyed("mountPath"),
  "ResourceRequirements.claims": { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
  "DeploymentSpec.strategy": { "x-kubernetes-patch-strategy": "retainKeys" },
  "ServiceSpec.ports": keyed("port", "port", "protocol"),
  "NodeStatus.addresses": keyed("type"),
  // The default stands in the key of a port that does not name its protocol.
  "ContainerPort.protocol": { default: "TCP" },
  "ServicePort.protocol": { default: "TCP" },
  "DeploymentSpec.replicas": { minimum: 0 },
  "ReplicaSetSpec.replicas": { minimum: 0 },
  "StatefulSetSpec.replicas": { minimum: 0 },
  "NodeSpec.podCIDRs": { "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge" },
};

/** By type. A missing one is a 422 `Required value`. */
export const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Container: ["name"],
  ContainerPort: ["containerPort"],
  DaemonSetSpec: ["selector", "template"],
  DeploymentSpec: ["selector", "template"],
  EnvVar: ["name"],
  Event: ["involvedObject"],
  HTTPGetAction: ["port"],
  LabelSelectorRequirement: ["key", "operator"],
  PodSpec: ["containers"],
  ReplicaSetSpec: ["selector"],
  ServicePort: ["port"],
  StatefulSetSpec: ["selector", "template"],
  TCPSocketAction: ["port"],
  Volume: ["name"],
  VolumeMount: ["mountPath", "name"],
};

/** Fields that hold quantities, alone or by resource name. */
export const QUANTITY_FIELDS: ReadonlySet<string> = new Set([
  "allocatable",
  "allocatedResources",
  "capacity",
  "divisor",
  "limits",
  "overhead",
  "requests",
  "sizeLimit",
]);

/** Types that server-side apply owns whole. */
export const WHOLE_OBJECTS: ReadonlySet<string> = new Set([
  "ConfigMapKeySelector",
  "LabelSelector",
  "LocalObjectReference",
  "NodeSelector",
  "ObjectFieldSelector",
  "ObjectReference",
  "ResourceFieldSelector",
  "SecretKeySelector",
  "SecretReference",
]);
