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
import { outdated, REVISION_LABEL } from "./pod-revision.ts";
import { isActive, isReady } from "./pod-state.ts";
import { podFrom, templateHash, templateOf } from "./pod-template.ts";

/**
 * Keeps the pods `name-0` … `name-(replicas − 1)`. OrderedReady (the default): one at a time, up when all lower ones
 * are Ready, down from the highest once it is gone. Parallel: all at once. A new template replaces one pod at a time,
 * from the highest, while all are Ready.
 */
export function statefulSets(member: ApiServer, owners: Owners): Controller {
  const sets = new Writer(member, KINDS.statefulSets);
  const pods = new Writer(member, KINDS.pods);

  const queue = new WorkQueue();

  return {
    name: `${member.name}/statefulsets`,
    queue,
    observe: (change) => touchPodOwner(queue, change, KINDS.statefulSets),
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const set = member.store.get(KINDS.statefulSets, namespace, name);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const present = owners.of(set.metadata.uid, KINDS.pods);
      for (const ordinal of toMake(set, present)) {
        const pod = podOf(set, ordinal, member.name);
        // The name may still be another's, of a set of this name that was deleted: its end touches this set again.
        const isFree = member.store.get(KINDS.pods, namespace, pod.metadata.name ?? "") === undefined;
        if (isFree) pods.create(pod, nowMs);
      }
      for (const pod of toEnd(set, present)) pods.delete(pod, nowMs);
      const status = statusOf(set, owners.of(set.metadata.uid, KINDS.pods));
      if (!sameJson(status, set.status)) sets.updateStatus(set, status, nowMs);
      return undefined;
    },
  };
}

function replicasOf(set: KubeObject): number {
  return (set.spec?.replicas as number | undefined) ?? 1;
}

function isParallel(set: KubeObject): boolean {
  return set.spec?.podManagementPolicy === "Parallel";
}

/** The number behind the last dash of a pod's name. */
function ordinalOf(pod: KubeObject): number {
  const name = pod.metadata.name ?? "";
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

function toMake(set: KubeObject, present: readonly KubeObject[]): readonly number[] {
  const byOrdinal = new Map(present.map((pod) => [ordinalOf(pod), pod]));
  const missing: number[] = [];
  for (let ordinal = 0; ordinal < replicasOf(set); ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) missing.push(ordinal);
    if (!isParallel(set) && (pod === undefined || !isReady(pod))) break;
  }
  return missing;
}

function toEnd(set: KubeObject, present: readonly KubeObject[]): readonly KubeObject[] {
  const surplus = present
    .filter((pod) => ordinalOf(pod) >= replicasOf(set))
    .sort((a, b) => ordinalOf(b) - ordinalOf(a));
  if (surplus.length > 0) {
    if (isParallel(set)) return surplus.filter(isActive);
    return surplus.slice(0, 1).filter(isActive);
  }
  return [...outdated(present, templateHash(templateOf(set)))]
    .sort((a, b) => ordinalOf(b) - ordinalOf(a))
    .slice(0, 1);
}

function podOf(set: KubeObject, ordinal: number, cluster: string): KubeObject {
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = {
    "apps.kubernetes.io/pod-index": String(ordinal),
    "statefulset.kubernetes.io/pod-name": name,
    [REVISION_LABEL]: templateHash(templateOf(set)),
  };
  return podFrom(set, { name, labels }, cluster);
}

function statusOf(set: KubeObject, present: readonly KubeObject[]): JsonObject {
  const hash = templateHash(templateOf(set));
  const active = present.filter(isActive);
  const ready = active.filter(isReady).length;
  const updated = active.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: active.length,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(updated === 0 ? {} : { currentReplicas: updated, updatedReplicas: updated }),
    availableReplicas: ready,
    currentRevision: `${set.metadata.name}-${hash}`,
    updateRevision: `${set.metadata.name}-${hash}`,
    collisionCount: 0,
  };
}
