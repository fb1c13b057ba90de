import type { ApiServer } from "#sim/api/api-server";
import type { Change } from "#sim/api/store";
import { keyTextOf, objectKeyText } from "#sim/key";
import { isOf, KINDS, type Kind } from "#sim/kinds";
import { controllerOf } from "#sim/owners";
import type { WorkQueue } from "#sim/work-queue";
import { isActive, isReady } from "./pod-state.ts";

/** Touches a workload when it changes, and when one of its pods does. */
export function touchPodOwner(queue: WorkQueue, change: Change, kind: Kind): void {
  if (isOf(change, kind)) queue.touch(keyTextOf(change.object));
  else if (isOf(change, KINDS.pods) && countsAnew(change)) {
    const owner = controllerOf(change.object);
    if (owner?.kind === kind.kind) queue.touch(objectKeyText(change.object.metadata.namespace, owner.name));
  }
}

/** Touches a Deployment when it, one of its ReplicaSets or one of their pods changes. */
export function touchDeployment(queue: WorkQueue, change: Change, member: ApiServer): void {
  if (isOf(change, KINDS.deployments)) {
    queue.touch(keyTextOf(change.object));
    return;
  }
  if (isOf(change, KINDS.pods) && !countsAnew(change)) return;
  const { namespace } = change.object.metadata;
  const owner = controllerOf(change.object);
  if (isOf(change, KINDS.replicaSets) && owner?.kind === "Deployment") {
    queue.touch(objectKeyText(namespace, owner.name));
  } else if (isOf(change, KINDS.pods) && owner?.kind === "ReplicaSet") {
    const set = member.store.get(KINDS.replicaSets, namespace, owner.name);
    const deployment = set && controllerOf(set);
    if (deployment?.kind === "Deployment") queue.touch(objectKeyText(namespace, deployment.name));
  }
}

/** Whether a pod counts otherwise than before for what owns it: it came, went, or is active or ready where it was not. */
function countsAnew({ type, object, previous }: Change): boolean {
  if (type !== "MODIFIED" || previous === undefined) return true;
  return (
    isActive(object) !== isActive(previous) ||
    isReady(object) !== isReady(previous) ||
    object.metadata.labels !== previous.metadata.labels
  );
}
