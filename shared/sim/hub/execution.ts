import { parseInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { type KubeObject, keyOf } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import type { Controller } from "#sim/controller";
import { readRefKey, refKey, refKeyOf } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { written } from "#sim/writes";
import { bindingSpecOf } from "./binding.ts";
import { concernsPlacement } from "./detector.ts";
import { isCutOff } from "./faults.ts";
import { bindingNameOf, MANAGER } from "./karmada.ts";
import { appliedOver, isManagedBy, manifestFor } from "./work.ts";

/**
 * Karmada's execution controller: what a binding's clusters shall run is created and updated in the members, and what
 * they shall not run any more is deleted. A member that is cut off gets it when it can be reached again.
 */
export function execution(
  hub: ApiServer,
  members: ReadonlyMap<string, ApiServer>,
  applyDelaySeconds: number,
): Controller {
  const queue = new WorkQueue();
  return {
    name: "execution",
    queue,
    observe(change, at) {
      if (at !== hub) {
        const managed = change.object.metadata.labels?.["karmada.io/managed"] === "true";
        if (managed && concernsPlacement(change)) queue.touch(refKeyOf(change.object));
      } else if (isOf(change, KINDS.bindings)) {
        if (concernsPlacement(change)) touchTemplateOf(change.object);
      } else if (isOf(change, KINDS.clusters)) {
        if (isCutOff(change.previous) !== isCutOff(change.object)) {
          for (const binding of hub.store.list(KINDS.bindings)) touchTemplateOf(binding);
        }
      } else if (change.type !== "ADDED" && concernsPlacement(change)) {
        queue.touch(refKeyOf(change.object));
      }
    },
    reconcile(key, nowMs) {
      const { apiVersion, kind, namespace, name } = readRefKey(key);
      const type = hub.catalogue.findKind(apiVersion, kind);
      if (type === undefined || namespace === undefined) return undefined;
      const template = hub.store.get(type, namespace, name);
      const bindingName = bindingNameOf(kind, name);
      const binding = template && hub.store.get(KINDS.bindings, namespace, bindingName);
      const dueMs = binding && applyAtMs(binding);
      if (dueMs !== undefined && nowMs < dueMs) return dueMs;
      const targets = new Map(
        (binding ? (bindingSpecOf(binding).clusters ?? []) : []).map((to) => [to.name, to]),
      );
      for (const [cluster, member] of members) {
        if (isCutOff(hub.store.get(KINDS.clusters, undefined, cluster))) continue;
        const observed = member.store.get(type, namespace, name);
        const target = targets.get(cluster);
        if (template !== undefined && binding !== undefined && target !== undefined) {
          apply(member, type, manifestFor(template, target.replicas ?? 0), observed, binding, nowMs);
        } else if (observed !== undefined && isManagedBy(observed, bindingName)) {
          written(member.delete(type, keyOf(observed), { nowMs }));
        }
      }
      return undefined;
    },
  };

  function touchTemplateOf(binding: KubeObject): void {
    const { resource } = bindingSpecOf(binding);
    if (resource !== undefined) {
      queue.touch(refKey(resource.apiVersion, resource.kind, resource.namespace, resource.name));
    }
  }

  function applyAtMs(binding: KubeObject): number | undefined {
    if (applyDelaySeconds === 0) return undefined;
    const scheduledMs = parseInstant((binding.status?.lastScheduledTime as string | undefined) ?? "");
    return scheduledMs === undefined ? undefined : scheduledMs + applyDelaySeconds * 1000;
  }
}

/** A member that does not serve the kind, or refuses the object, is left as it is: the binding says `applied: false`. */
function apply(
  member: ApiServer,
  type: ResourceType,
  manifest: KubeObject,
  observed: KubeObject | undefined,
  binding: KubeObject,
  nowMs: number,
): void {
  const own = member.catalogue.find(manifest.apiVersion, type.resource);
  if (own === undefined) return;
  const write = { nowMs, fieldManager: MANAGER };
  if (observed === undefined) member.create(own, manifest, write);
  else if (observed.metadata.deletionTimestamp === undefined && mayTakeOver(observed, binding)) {
    const next = appliedOver(observed, manifest);
    if (next !== observed) member.update(own, next, write);
  }
}

/** What somebody else put into a member is overwritten only where the binding says so (conflictResolution). */
function mayTakeOver(observed: KubeObject, binding: KubeObject): boolean {
  const name = binding.metadata.name ?? "";
  return isManagedBy(observed, name) || bindingSpecOf(binding).conflictResolution === "Overwrite";
}
