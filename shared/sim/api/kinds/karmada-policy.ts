import type { CrdSpec } from "./crd.ts";
import {
  anyObject,
  bool,
  described,
  int32,
  labelSelector,
  list,
  object,
  oneOf,
  text,
} from "./schema-terms.ts";

/**
 * The policies of `policy.karmada.io`, as far as propagation here reads them; other parts are taken as they come.
 * Columns and bounds are those of karmada f8fdd02 charts/karmada/_crds/bases/policy.
 */

const GROUP = "policy.karmada.io";

const resourceSelectors = list(
  object({ "apiVersion!": text, "kind!": text, namespace: text, name: text, labelSelector }),
);

const clusterAffinity = object({
  labelSelector,
  fieldSelector: anyObject,
  clusterNames: list(text),
  exclude: list(text),
});

const weightPreference = object({
  staticWeightList: list(
    object({ "targetCluster!": clusterAffinity, "weight!": { ...int32, format: "int64", minimum: 1 } }),
  ),
  dynamicWeight: oneOf("AvailableReplicas"),
});

export const placement = object({
  clusterAffinity,
  clusterAffinities: list(anyObject),
  clusterTolerations: list(anyObject),
  spreadConstraints: list(anyObject),
  workloadAffinity: anyObject,
  replicaScheduling: object({
    replicaSchedulingType: { ...oneOf("Duplicated", "Divided"), default: "Divided" },
    replicaDivisionPreference: oneOf("Aggregated", "Weighted"),
    weightPreference,
  }),
});

const propagationSpec = object({
  "resourceSelectors!": { ...resourceSelectors, minItems: 1 },
  placement: described(placement, "Where the selected resources go, and how replicas are divided."),
  priority: { ...int32, default: 0 },
  preemption: { ...oneOf("Always", "Never"), default: "Never" },
  conflictResolution: { ...oneOf("Abort", "Overwrite"), default: "Abort" },
  activationPreference: oneOf("Lazy"),
  association: bool,
  propagateDeps: bool,
  dependentOverrides: list(text),
  schedulerName: { ...text, default: "default-scheduler" },
  preserveResourcesOnDeletion: bool,
  failover: anyObject,
  suspension: anyObject,
  schedulePriority: anyObject,
});

const overrideSpec = object({
  resourceSelectors,
  "overrideRules!": list(object({ targetCluster: clusterAffinity, "overriders!": anyObject })),
  targetCluster: clusterAffinity,
  overriders: anyObject,
});

const PROPAGATION_COLUMNS = [
  { name: "CONFLICT-RESOLUTION", type: "string", jsonPath: ".spec.conflictResolution" },
  { name: "PRIORITY", type: "string", jsonPath: ".spec.priority" },
  { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
] as const;

export const POLICY_CRDS: readonly CrdSpec[] = [
  policy("PropagationPolicy", "Namespaced", "pp"),
  policy("ClusterPropagationPolicy", "Cluster", "cpp"),
  policy("OverridePolicy", "Namespaced", "op"),
  policy("ClusterOverridePolicy", "Cluster", "cop"),
];

function policy(kind: string, scope: CrdSpec["scope"], shortName: string): CrdSpec {
  const propagates = kind.endsWith("PropagationPolicy");
  return {
    group: GROUP,
    scope,
    names: {
      plural: `${kind.toLowerCase().replace(/y$/, "")}ies`,
      kind,
      shortNames: [shortName],
      categories: ["karmada-io"],
    },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        ...(propagates ? { additionalPrinterColumns: PROPAGATION_COLUMNS } : {}),
        schema: {
          openAPIV3Schema: object(
            { "spec!": propagates ? propagationSpec : overrideSpec },
            {
              description: propagates
                ? `${kind} propagates the resources it selects to one or more clusters.`
                : `${kind} changes the resources it selects on their way to a cluster.`,
            },
          ),
        },
      },
    ],
  };
}
