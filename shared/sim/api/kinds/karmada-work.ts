import type { CrdSpec } from "./crd.ts";
import { placement } from "./karmada-policy.ts";
import {
  anyObject,
  bool,
  condition,
  int32,
  int64,
  list,
  object,
  oneOf,
  quantity,
  text,
  time,
} from "./schema-terms.ts";

/**
 * Bindings and works of `work.karmada.io`. Columns and fields are those of karmada f8fdd02
 * charts/karmada/_crds/bases/work; parts that nobody here reads are taken as they come.
 */

const GROUP = "work.karmada.io";

const targetClusters = list(object({ "name!": text, replicas: int32 }));
const health = oneOf("Healthy", "Unhealthy", "Unknown");

const bindingSpec = object({
  "resource!": object({
    "apiVersion!": text,
    "kind!": text,
    "name!": text,
    namespace: text,
    uid: text,
    resourceVersion: text,
  }),
  replicas: int32,
  replicaRequirements: object({
    nodeClaim: anyObject,
    resourceRequest: { type: "object", additionalProperties: quantity },
    namespace: text,
    priorityClassName: text,
  }),
  components: list(anyObject),
  clusters: targetClusters,
  placement,
  conflictResolution: { ...oneOf("Abort", "Overwrite"), default: "Abort" },
  failover: anyObject,
  gracefulEvictionTasks: list(anyObject),
  preserveResourcesOnDeletion: bool,
  propagateDeps: bool,
  requiredBy: list(object({ "name!": text, namespace: text, clusters: targetClusters })),
  rescheduleTriggeredAt: time,
  schedulePriority: anyObject,
  schedulerName: text,
  suspension: anyObject,
  workloadAffinityGroups: anyObject,
});

const bindingStatus = object({
  schedulerObservedGeneration: int64,
  schedulerObservingAffinityName: text,
  lastScheduledTime: time,
  conditions: list(condition),
  aggregatedStatus: list(
    object({
      "clusterName!": text,
      status: anyObject,
      applied: bool,
      appliedMessage: text,
      health,
    }),
  ),
});

export const WORK_CRDS: readonly CrdSpec[] = [
  binding("ResourceBinding", "Namespaced", "rb"),
  binding("ClusterResourceBinding", "Cluster", "crb"),
  {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "works", kind: "Work", shortNames: ["wk"], categories: ["karmada-io"] },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: "WORKLOAD-KIND", type: "string", jsonPath: ".spec.workload.manifests[*].kind" },
          {
            name: "APPLIED",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="Applied")].status',
          },
          { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: object(
            {
              "spec!": object({
                workload: object({ manifests: list(anyObject) }),
                preserveResourcesOnDeletion: bool,
                suspendDispatching: bool,
              }),
              status: object({
                conditions: list(condition),
                manifestStatuses: list(object({ "identifier!": anyObject, status: anyObject, health })),
              }),
            },
            { description: "Work is a list of resources to be deployed on one member cluster." },
          ),
        },
      },
    ],
  },
];

function binding(kind: string, scope: CrdSpec["scope"], shortName: string): CrdSpec {
  return {
    group: GROUP,
    scope,
    names: { plural: `${kind.toLowerCase()}s`, kind, shortNames: [shortName], categories: ["karmada-io"] },
    versions: [
      {
        name: "v1alpha2",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          {
            name: "Scheduled",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="Scheduled")].status',
          },
          {
            name: "FullyApplied",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="FullyApplied")].status',
          },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: object(
            { "spec!": bindingSpec, status: bindingStatus },
            { description: `${kind} binds a resource template to the clusters it is placed on.` },
          ),
        },
      },
    ],
  };
}
