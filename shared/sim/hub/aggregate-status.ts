import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { type Condition, withCondition } from "#sim/condition";
import type { Controller } from "#sim/controller";
import { readRefKey, refKey, refKeyOf } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { isWorkload } from "#sim/workload";
import { Writer } from "#sim/writes";
import { bindingSpecOf } from "./binding.ts";
import { isCutOff } from "./faults.ts";
import { ANNOTATION, bindingNameOf, MANAGER } from "./karmada.ts";

/** One member's part of a binding's `status.aggregatedStatus`. */
export interface AggregatedItem {
  readonly clusterName: string;
  readonly status?: JsonObject;
  readonly applied?: boolean;
  readonly health?: string;
}

/**
 * Karmada's status controllers: collects the members' statuses in the binding, and sums the counts up in the
 * template's status. A member that is cut off keeps the last status that was read.
 */
export function aggregateStatus(hub: ApiServer, members: ReadonlyMap<string, ApiServer>): Controller {
  const queue = new WorkQueue();
  const bindings = new Writer(hub, KINDS.bindings, MANAGER);

  return {
    name: "aggregate-status",
    queue,
    observe(change, at) {
      if (at !== hub) {
        if (change.object.metadata.labels?.["karmada.io/managed"] === "true") {
          if (change.object.kind !== "Pod" && change.object.kind !== "ReplicaSet") {
            queue.touch(refKeyOf(change.object));
          }
        }
      } else if (isOf(change, KINDS.bindings)) {
        if (!bindings.wrote(change)) touchTemplateOf(change.object);
      } else if (isOf(change, KINDS.clusters) && isCutOff(change.previous) !== isCutOff(change.object)) {
        for (const binding of hub.store.list(KINDS.bindings)) touchTemplateOf(binding);
      }
    },
    reconcile(key, nowMs) {
      const { apiVersion, kind, namespace, name } = readRefKey(key);
      const type = hub.catalogue.findKind(apiVersion, kind);
      if (type === undefined || namespace === undefined) return undefined;
      const binding = hub.store.get(KINDS.bindings, namespace, bindingNameOf(kind, name));
      const template = hub.store.get(type, namespace, name);
      if (binding === undefined || template === undefined) return undefined;
      const items = collect(binding, type, template);
      keepBinding(binding, items, nowMs);
      if (isWorkload(template)) keepTemplate(template, type, items, nowMs);
      return undefined;
    },
  };

  function touchTemplateOf(binding: KubeObject): void {
    const { resource } = bindingSpecOf(binding);
    if (resource === undefined) return;
    queue.touch(refKey(resource.apiVersion, resource.kind, resource.namespace, resource.name));
  }

  function collect(binding: KubeObject, type: ResourceType, template: KubeObject): readonly AggregatedItem[] {
    const { namespace, name = "" } = template.metadata;
    const before = (binding.status?.aggregatedStatus ?? []) as readonly AggregatedItem[];
    const targets = bindingSpecOf(binding).clusters ?? [];
    return targets
      .map(({ name: cluster }): AggregatedItem => {
        const known = before.find(({ clusterName }) => clusterName === cluster);
        if (isCutOff(hub.store.get(KINDS.clusters, undefined, cluster))) {
          return known ?? { clusterName: cluster, health: "Unknown" };
        }
        const object = members.get(cluster)?.store.get(type, namespace, name);
        if (object === undefined) return { clusterName: cluster, health: "Unknown" };
        return {
          clusterName: cluster,
          applied: true,
          health: healthOf(object),
          ...(object.status === undefined ? {} : { status: reflected(object) }),
        };
      })
      .sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
  }

  function keepBinding(binding: KubeObject, items: readonly AggregatedItem[], nowMs: number): void {
    const applied = items.filter((item) => item.applied === true).length;
    const isFull = items.length > 0 && applied === items.length;
    const before = (binding.status?.conditions ?? []) as readonly Condition[];
    const conditions = withCondition(before, {
      type: "FullyApplied",
      status: isFull ? "True" : "False",
      reason: isFull ? "FullyAppliedSuccess" : "FullyAppliedFailed",
      message: isFull ? "All works have been successfully applied" : "Failed to apply all works",
      lastTransitionTime: formatInstant(nowMs),
    });
    const status = { ...binding.status, conditions, aggregatedStatus: items };
    if (!sameJson(status, binding.status)) bindings.updateStatus(binding, status, nowMs);
  }

  function keepTemplate(
    template: KubeObject,
    type: ResourceType,
    items: readonly AggregatedItem[],
    nowMs: number,
  ): void {
    const status = summedStatus(template, items);
    if (!sameJson(status, template.status)) {
      new Writer(hub, type, MANAGER).updateStatus(template, status, nowMs);
    }
  }
}

/** Collected again whenever any member's object changes: the others are the same objects then. */
const reflections = new WeakMap<KubeObject, JsonObject>();

/** The member's status as Karmada reflects it: the counts and the two generations, no conditions. */
function reflected(object: KubeObject): JsonObject {
  const known = reflections.get(object);
  if (known !== undefined) return known;
  const { conditions: _conditions, ...counts } = object.status ?? {};
  const templateGeneration = object.metadata.annotations?.[ANNOTATION.templateGeneration];
  const made = {
    ...counts,
    ...(object.metadata.generation === undefined ? {} : { generation: object.metadata.generation }),
    ...(templateGeneration === undefined ? {} : { resourceTemplateGeneration: Number(templateGeneration) }),
  };
  reflections.set(object, made);
  return made;
}

function healthOf(object: KubeObject): string {
  if (!isWorkload(object)) return "Healthy";
  const { observedGeneration, availableReplicas = 0, readyReplicas = 0 } = object.status ?? {};
  const isSeen = observedGeneration === object.metadata.generation;
  const counts = Math.max(Number(availableReplicas), Number(readyReplicas));
  return isSeen && counts >= Number(object.spec?.replicas) ? "Healthy" : "Unhealthy";
}

/** Not counts, though numbers. */
const NOT_SUMMED = new Set([
  "observedGeneration",
  "generation",
  "resourceTemplateGeneration",
  "collisionCount",
]);

/**
 * The template's status: every count summed over the members. `observedGeneration` follows the template once every
 * member has seen its present spec; texts (a CloneSet's labelSelector) are the first member's.
 */
export function summedStatus(template: KubeObject, items: readonly AggregatedItem[]): JsonObject {
  const summed: Record<string, unknown> = {};
  const { observedGeneration, conditions } = template.status ?? {};
  for (const { status = {} } of items) {
    for (const field in status) {
      const value = status[field];
      if (typeof value === "number" && !NOT_SUMMED.has(field)) {
        summed[field] = ((summed[field] as number | undefined) ?? 0) + value;
      } else if (typeof value === "string" && field === "labelSelector") {
        summed[field] ??= value;
      }
    }
  }
  const { generation } = template.metadata;
  const isSeen = items.every(
    ({ status = {} }) =>
      status.resourceTemplateGeneration === generation && status.observedGeneration === status.generation,
  );
  return {
    ...summed,
    ...(isSeen || observedGeneration !== undefined
      ? { observedGeneration: isSeen ? generation : observedGeneration }
      : {}),
    ...(conditions === undefined ? {} : { conditions }),
  };
}
