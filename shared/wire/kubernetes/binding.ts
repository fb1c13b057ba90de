import type { Binding, Read } from "#domain/fleet/snapshot";
import { parseInstant } from "#domain/units/instant";
import {
  type JsonObject,
  outcome,
  readArray,
  readCondition,
  readCount,
  readInteger,
  readObject,
  readString,
  requireString,
} from "./reading.ts";

/**
 * A ResourceBinding (`work.karmada.io/v1alpha2`). The clusters keep their order; `duplicated` follows Karmada's
 * `ReplicaSchedulingType()`: no replicaScheduling means Duplicated, one without a type means Divided.
 */
export function decodeBinding(object: unknown): Read<Binding> {
  const faults: string[] = [];
  const { metadata: rawMetadata, spec: rawSpec, status: rawStatus } = readObject(object, "binding", faults);
  const metadata = readObject(rawMetadata, "metadata", faults);
  const spec = readObject(rawSpec, "spec", faults);
  const status = readObject(rawStatus, "status", faults);

  const name = requireString(metadata.name, "metadata.name", faults);
  const replicas = readCount(spec.replicas, "spec.replicas", faults);
  const observed = readInteger(
    status.schedulerObservedGeneration,
    "status.schedulerObservedGeneration",
    faults,
  );
  const scheduled = readCondition(status, "Scheduled", faults)?.status;
  const binding: Binding = {
    name,
    ...(replicas === undefined ? {} : { replicas }),
    generation: readInteger(metadata.generation, "metadata.generation", faults) ?? 0,
    ...(observed === undefined ? {} : { schedulerObservedGeneration: observed }),
    ...(scheduled === undefined ? {} : { scheduled }),
    clusters: Array.from(readArray(spec.clusters, "spec.clusters", faults), (cluster) =>
      readShare(cluster, faults),
    ),
    duplicated: isDuplicated(spec, faults),
    ...evictionsOf(spec, faults),
  };
  return outcome(binding, faults, "binding-unreadable", `binding ${name}`);
}

/** Whether the binding is that of the template: same kind and name, and the same namespace (D-05). */
export function bindsTarget(binding: unknown, template: unknown, namespace: string): boolean {
  const unread: string[] = [];
  const { spec } = readObject(binding, "binding", unread);
  const { resource } = readObject(spec, "spec", unread);
  const bound = readObject(resource, "spec.resource", unread);
  const { apiVersion, kind, metadata } = readObject(template, "template", unread);
  const { name } = readObject(metadata, "metadata", unread);
  return (
    bound.apiVersion === apiVersion &&
    bound.kind === kind &&
    bound.name === name &&
    bound.namespace === namespace &&
    name !== undefined
  );
}

/**
 * What the members report of their workloads, by cluster: `status.replicas` of the binding's aggregatedStatus. A
 * cluster that has not reported is not in it. The only source for pull-mode members (D-10).
 */
export function decodeReportedReplicas(object: unknown): ReadonlyMap<string, number> {
  const unread: string[] = [];
  const status = readObject(readObject(object, "binding", unread).status, "status", unread);
  const reported = new Map<string, number>();
  for (const entry of readArray(status.aggregatedStatus, "status.aggregatedStatus", unread)) {
    const item = readObject(entry, "status.aggregatedStatus[]", unread);
    const cluster = readString(item.clusterName, "clusterName", unread);
    const replicas = readCount(readObject(item.status, "status", unread).replicas, "replicas", unread);
    if (cluster !== undefined && replicas !== undefined) reported.set(cluster, replicas);
  }
  return reported;
}

function evictionsOf(spec: JsonObject, faults: string[]): Pick<Binding, "evictions"> {
  const path = "spec.gracefulEvictionTasks";
  const tasks = readArray(spec.gracefulEvictionTasks, path, faults);
  const evictions = Array.from(tasks, (value) => {
    const task = readObject(value, `${path}[]`, faults);
    return parseInstant(readString(task.creationTimestamp, `${path}[].creationTimestamp`, faults) ?? "");
  }).filter((atMs) => atMs !== undefined);
  return evictions.length === 0 ? {} : { evictions };
}

function readShare(value: unknown, faults: string[]): Binding["clusters"][number] {
  const cluster = readObject(value, "spec.clusters[]", faults);
  const name = requireString(cluster.name, "spec.clusters[].name", faults);
  const replicas = readCount(cluster.replicas, "spec.clusters[].replicas", faults);
  return { name, ...(replicas === undefined ? {} : { replicas }) };
}

function isDuplicated(spec: JsonObject, faults: string[]): boolean {
  const placement = readObject(spec.placement, "spec.placement", faults);
  const { replicaScheduling } = placement;
  if (replicaScheduling === undefined || replicaScheduling === null) return true;
  const path = "spec.placement.replicaScheduling";
  const { replicaSchedulingType: type } = readObject(replicaScheduling, path, faults);
  return readString(type, `${path}.replicaSchedulingType`, faults) === "Duplicated";
}
