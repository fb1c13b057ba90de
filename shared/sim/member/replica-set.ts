import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import type { Controller } from "#sim/controller";
import { readKeyText } from "#sim/key";
import { KINDS } from "#sim/kinds";
import type { Owners } from "#sim/owners";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { touchPodOwner } from "./follow.ts";
import { firstToGo } from "./pod-ranking.ts";
import { isActive, isReady } from "./pod-state.ts";
import { podFrom } from "./pod-template.ts";

/** Keeps as many pods as `spec.replicas` says, and counts them in the status. */
export function replicaSets(member: ApiServer, owners: Owners): Controller {
  const sets = new Writer(member, KINDS.replicaSets);
  const pods = new Writer(member, KINDS.pods);

  const queue = new WorkQueue();

  return {
    name: `${member.name}/replicasets`,
    queue,
    observe(change) {
      if (!sets.wrote(change)) touchPodOwner(queue, change, KINDS.replicaSets);
    },
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const set = member.store.get(KINDS.replicaSets, namespace, name);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const active = owners.of(set.metadata.uid, KINDS.pods).filter(isActive);
      const wanted = (set.spec?.replicas as number | undefined) ?? 1;
      for (let missing = wanted - active.length; missing > 0; missing--) {
        pods.create(podFrom(set, { generateName: `${name}-` }, member.name), nowMs);
      }
      for (const pod of firstToGo(active, active.length - wanted)) pods.delete(pod, nowMs);
      const status = statusOf(set, owners.of(set.metadata.uid, KINDS.pods));
      if (!sameJson(status, set.status)) sets.updateStatus(set, status, nowMs);
      return undefined;
    },
  };
}

function statusOf(set: KubeObject, pods: readonly KubeObject[]): JsonObject {
  const active = pods.filter(isActive);
  const ready = active.filter(isReady).length;
  return {
    replicas: active.length,
    ...(active.length === 0 ? {} : { fullyLabeledReplicas: active.length }),
    ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
    observedGeneration: set.metadata.generation ?? 0,
  };
}
