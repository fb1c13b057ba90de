import { selectorText } from "#domain/units/selector";
import { type LabelSelector, readLabelSelector } from "#domain/units/selector-object";
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
import { outdated, REVISION_LABEL } from "./pod-revision.ts";
import { isActive, isReady } from "./pod-state.ts";
import { podFrom, templateHash, templateOf } from "./pod-template.ts";

/**
 * OpenKruise's CloneSet: pods with random names like a ReplicaSet's, and `spec.scaleStrategy.podsToDelete`, whose
 * pods end in any case (systems R4).
 */
export function cloneSets(member: ApiServer, owners: Owners): Controller {
  const sets = new Writer(member, KINDS.cloneSets);
  const pods = new Writer(member, KINDS.pods);

  const queue = new WorkQueue();

  return {
    name: `${member.name}/clonesets`,
    queue,
    observe: (change) => touchPodOwner(queue, change, KINDS.cloneSets),
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const set = member.store.get(KINDS.cloneSets, namespace, name);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const wanted = (set.spec?.replicas as number | undefined) ?? 1;
      const named = namedToDelete(set);
      const active = owners.of(set.metadata.uid, KINDS.pods).filter(isActive);
      for (const pod of active.filter((pod) => named.has(pod.metadata.name ?? ""))) pods.delete(pod, nowMs);
      const kept = active.filter((pod) => !named.has(pod.metadata.name ?? ""));
      for (let missing = wanted - kept.length; missing > 0; missing--) {
        const identity = {
          generateName: `${name}-`,
          labels: { [REVISION_LABEL]: templateHash(templateOf(set)) },
        };
        pods.create(podFrom(set, identity, member.name), nowMs);
      }
      const going = firstToGo(kept, kept.length - wanted);
      for (const pod of going) pods.delete(pod, nowMs);
      const present = owners.of(set.metadata.uid, KINDS.pods);
      if (going.length === 0 && present.length === wanted) {
        for (const pod of firstToGo(outdated(present, templateHash(templateOf(set))), 1))
          pods.delete(pod, nowMs);
      }
      const status = statusOf(set, owners.of(set.metadata.uid, KINDS.pods));
      if (!sameJson(status, set.status)) sets.updateStatus(set, status, nowMs);
      return undefined;
    },
  };
}

function namedToDelete(set: KubeObject): ReadonlySet<string> {
  const strategy = set.spec?.scaleStrategy as { readonly podsToDelete?: readonly string[] } | undefined;
  return new Set(strategy?.podsToDelete);
}

function statusOf(set: KubeObject, present: readonly KubeObject[]): JsonObject {
  const hash = templateHash(templateOf(set));
  const active = present.filter(isActive);
  const ready = active.filter(isReady).length;
  const updated = active.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash);
  const { selector } = readLabelSelector((set.spec?.selector ?? {}) as LabelSelector);
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: active.length,
    readyReplicas: ready,
    availableReplicas: ready,
    updatedReplicas: updated.length,
    updatedReadyReplicas: updated.filter(isReady).length,
    labelSelector: selectorText(selector),
    currentRevision: `${set.metadata.name}-${hash}`,
    updateRevision: `${set.metadata.name}-${hash}`,
  };
}
