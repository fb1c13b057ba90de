import type { KubeObject } from "#sim/api/object";
import { age } from "#sim/api/view/age";
import { AGE, column } from "./column.ts";
import { goType } from "./go-type.ts";
import { POD_COLUMNS } from "./pod-columns.ts";
import { podDefaults, serviceDefaults } from "./workload-defaults.ts";

const v1 = { version: "v1" } as const;

export const NAMESPACES = goType({
  ...v1,
  resource: "namespaces",
  kind: "Namespace",
  shortNames: ["ns"],
  namespaced: false,
  status: true,
  columns: [column("Status", (object) => String(object.status?.phase ?? "")), AGE],
  fieldSelectors: ["status.phase"],
  defaults: (object) => ({
    ...object,
    spec: object.spec ?? { finalizers: ["kubernetes"] },
    status: object.status ?? { phase: "Active" },
  }),
});

export const CONFIG_MAPS = goType({
  ...v1,
  resource: "configmaps",
  kind: "ConfigMap",
  shortNames: ["cm"],
  columns: [
    column("Data", (object) => sizeOf(object.data) + sizeOf(object.binaryData), { type: "integer" }),
    AGE,
  ],
});

export const SECRETS = goType({
  ...v1,
  resource: "secrets",
  kind: "Secret",
  columns: [
    column("Type", (object) => String(object.type ?? "")),
    column("Data", (object) => sizeOf(object.data), { type: "integer" }),
    AGE,
  ],
  fieldSelectors: ["type"],
  defaults: (object) => ({ ...object, type: object.type ?? "Opaque" }),
});

export const SERVICES = goType({
  ...v1,
  resource: "services",
  kind: "Service",
  shortNames: ["svc"],
  categories: ["all"],
  status: true,
  columns: [
    column("Type", (object) => String(object.spec?.type ?? "")),
    column("Cluster-IP", (object) => String(object.spec?.clusterIP ?? "<none>")),
    column("External-IP", () => "<none>"),
    column("Port(s)", servicePorts),
    AGE,
    column("Selector", (object) => labelsText(object.spec?.selector), { wide: true }),
  ],
  fieldSelectors: ["spec.clusterIP", "spec.type"],
  defaults: serviceDefaults,
});

export const EVENTS = goType({
  ...v1,
  resource: "events",
  kind: "Event",
  shortNames: ["ev"],
  columns: [
    column("Last Seen", (object, nowMs) => age(lastSeen(object), nowMs)),
    column("Type", (object) => String(object.type ?? "")),
    column("Reason", (object) => String(object.reason ?? "")),
    column(
      "Object",
      (object) => `${String(involved(object).kind ?? "").toLowerCase()}/${involved(object).name ?? ""}`,
    ),
    column("Subobject", (object) => String(involved(object).fieldPath ?? ""), { wide: true }),
    column(
      "Source",
      (object) =>
        String((object.source as { component?: string })?.component ?? object.reportingComponent ?? ""),
      { wide: true },
    ),
    column("Message", (object) => String(object.message ?? "").trim()),
    column("First Seen", (object, nowMs) => age(object.firstTimestamp ?? lastSeen(object), nowMs), {
      wide: true,
    }),
    column("Count", (object) => Number(object.count ?? 1), { wide: true, type: "integer" }),
    column("Name", (object) => object.metadata.name ?? "", { wide: true }),
  ],
  fieldSelectors: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "type",
  ],
});

export const PODS = goType({
  ...v1,
  resource: "pods",
  kind: "Pod",
  shortNames: ["po"],
  categories: ["all"],
  generation: true,
  status: true,
  columns: POD_COLUMNS,
  fieldSelectors: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.phase",
    "status.podIP",
  ],
  graceful: true,
  defaults: podDefaults,
});

export const NODES = goType({
  ...v1,
  resource: "nodes",
  kind: "Node",
  shortNames: ["no"],
  namespaced: false,
  status: true,
  columns: [
    column("Status", nodeStatus),
    column("Roles", nodeRoles),
    AGE,
    column("Version", (object) =>
      String((object.status?.nodeInfo as { kubeletVersion?: string })?.kubeletVersion ?? ""),
    ),
    column("Internal-IP", (object) => nodeAddress(object, "InternalIP"), { wide: true }),
  ],
  fieldSelectors: ["spec.unschedulable"],
});

function sizeOf(map: unknown): number {
  return Object.keys(map ?? {}).length;
}

function lastSeen(event: KubeObject): unknown {
  const { series, lastTimestamp, firstTimestamp, eventTime } = event as unknown as {
    series?: { lastObservedTime?: string };
    lastTimestamp?: string;
    firstTimestamp?: string;
    eventTime?: string;
  };
  return series?.lastObservedTime ?? lastTimestamp ?? firstTimestamp ?? eventTime;
}

function involved(event: KubeObject): {
  readonly kind?: string;
  readonly name?: string;
  readonly fieldPath?: string;
} {
  return (event.involvedObject ?? {}) as { kind?: string; name?: string; fieldPath?: string };
}

function servicePorts({ spec }: KubeObject): string {
  const ports = (spec?.ports ?? []) as { port: number; nodePort?: number; protocol?: string }[];
  if (ports.length === 0) return "<none>";
  return ports
    .map(({ port, nodePort, protocol = "TCP" }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`)
    .join(",");
}

/** `a=b,c=d`, or `<none>`. */
export function labelsText(labels: unknown): string {
  const pairs = Object.entries((labels ?? {}) as Record<string, string>);
  return pairs.length === 0 ? "<none>" : pairs.map(([key, value]) => `${key}=${value}`).join(",");
}

function nodeStatus({ spec, status }: KubeObject): string {
  const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
  const ready = conditions.find(({ type }) => type === "Ready");
  const word = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

const ROLE_LABEL = "node-role.kubernetes.io/";

function nodeRoles({ metadata }: KubeObject): string {
  const roles = Object.keys(metadata.labels ?? {}).filter((key) => key.startsWith(ROLE_LABEL));
  return roles.map((key) => key.slice(ROLE_LABEL.length)).join(",") || "<none>";
}

function nodeAddress({ status }: KubeObject, type: string): string {
  const addresses = (status?.addresses ?? []) as { type: string; address: string }[];
  return addresses.find((address) => address.type === type)?.address ?? "<none>";
}
