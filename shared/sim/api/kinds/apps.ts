import type { KubeObject } from "#sim/api/object";
import { selectorTextAt } from "#sim/api/path";
import { AGE, column } from "./column.ts";
import { goType } from "./go-type.ts";
import {
  daemonSetDefaults,
  deploymentDefaults,
  replicaSetDefaults,
  statefulSetDefaults,
} from "./workload-defaults.ts";

const apps = { group: "apps", version: "v1", categories: ["all"], generation: true, status: true } as const;

const SCALE = {
  specReplicas: ["spec", "replicas"],
  statusReplicas: ["status", "replicas"],
  selector: ["spec", "selector"],
};

const CONTAINERS = column("Containers", (object) => containerFields(object, "name"), { wide: true });
const IMAGES = column("Images", (object) => containerFields(object, "image"), { wide: true });
const SELECTOR = column("Selector", (object) => selectorTextAt(object, ["spec", "selector"]), { wide: true });

export const DEPLOYMENTS = goType({
  ...apps,
  resource: "deployments",
  kind: "Deployment",
  shortNames: ["deploy"],
  scale: SCALE,
  columns: [
    column("Ready", (object) => `${count(object, "readyReplicas")}/${object.spec?.replicas ?? 0}`),
    column("Up-to-date", (object) => count(object, "updatedReplicas"), { type: "integer" }),
    column("Available", (object) => count(object, "availableReplicas"), { type: "integer" }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  defaults: deploymentDefaults,
});

export const STATEFUL_SETS = goType({
  ...apps,
  resource: "statefulsets",
  kind: "StatefulSet",
  shortNames: ["sts"],
  scale: SCALE,
  columns: [
    column("Ready", (object) => `${count(object, "readyReplicas")}/${object.spec?.replicas ?? 0}`),
    AGE,
    CONTAINERS,
    IMAGES,
  ],
  defaults: statefulSetDefaults,
});

export const DAEMON_SETS = goType({
  ...apps,
  resource: "daemonsets",
  kind: "DaemonSet",
  shortNames: ["ds"],
  columns: [
    column("Desired", (object) => count(object, "desiredNumberScheduled"), { type: "integer" }),
    column("Current", (object) => count(object, "currentNumberScheduled"), { type: "integer" }),
    column("Ready", (object) => count(object, "numberReady"), { type: "integer" }),
    column("Up-to-date", (object) => count(object, "updatedNumberScheduled"), { type: "integer" }),
    column("Available", (object) => count(object, "numberAvailable"), { type: "integer" }),
    column("Node Selector", () => "<none>"),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  defaults: daemonSetDefaults,
});

export const REPLICA_SETS = goType({
  ...apps,
  resource: "replicasets",
  kind: "ReplicaSet",
  shortNames: ["rs"],
  scale: SCALE,
  columns: [
    column("Desired", (object) => Number(object.spec?.replicas ?? 0), { type: "integer" }),
    column("Current", (object) => count(object, "replicas"), { type: "integer" }),
    column("Ready", (object) => count(object, "readyReplicas"), { type: "integer" }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  fieldSelectors: ["status.replicas"],
  defaults: replicaSetDefaults,
});

function count({ status }: KubeObject, field: string): number {
  return Number(status?.[field] ?? 0);
}

function containerFields({ spec }: KubeObject, field: "name" | "image"): string {
  const { template } = (spec ?? {}) as { template?: { spec?: { containers?: Record<string, string>[] } } };
  return (template?.spec?.containers ?? []).map((container) => container[field] ?? "").join(",");
}
