import { formatInstant } from "#domain/units/instant";
import type { DeleteOptions } from "#sim/api/api-server";
import { conflict, notFound, type Outcome, refuse, type Status } from "#sim/api/failure";
import type { KubeObject, ObjectKey } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { admitted } from "./commit.ts";
import type { ServerContext } from "./server-context.ts";
import { uidConflict } from "./update.ts";

const DEFAULT_GRACE_SECONDS = 30;

/**
 * DELETE. An object goes at once, unless finalizers hold it or a kubelet has to stop it first: then it stays with a
 * deletionTimestamp until the last finalizer is gone, or until the delete with grace 0. Dependents are the garbage
 * collector's; the contents of a namespace go with it.
 */
export function deleteObject(
  context: ServerContext,
  type: ResourceType,
  key: ObjectKey,
  options: DeleteOptions,
): Outcome<KubeObject> {
  const { store } = context;
  const object = store.get(type, key.namespace, key.name);
  if (object === undefined) return refuse(notFound(type, key.name));
  const refusal = preconditionFailure(type, object, options);
  if (refusal !== undefined) return refuse(refusal);
  const allowed = admitted(context, {
    type,
    operation: "DELETE",
    object,
    oldObject: object,
    nowMs: options.nowMs,
  });
  if (!allowed.ok) return allowed;
  if (options.dryRun) return { ok: true, value: object };
  const graceSeconds = type.graceful ? graceOf(object, options) : 0;
  const isHeld = (object.metadata.finalizers ?? []).length > 0;
  if (graceSeconds > 0 || isHeld) {
    return { ok: true, value: store.put(type, deleting(type, object, graceSeconds, options.nowMs)) };
  }
  if (type.group === "" && type.resource === "namespaces") removeContents(context, key.name);
  return { ok: true, value: store.remove(type, object) };
}

function preconditionFailure(
  type: ResourceType,
  object: KubeObject,
  options: DeleteOptions,
): Status | undefined {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { name = "", ...metadata } = object.metadata;
  if (uid !== undefined && uid !== metadata.uid) return uidConflict(type, name, uid, metadata.uid);
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return undefined;
  return conflict(
    type,
    name,
    `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`,
  );
}

/** Pods that no kubelet runs, or that have ended, need no grace; a running delete can only be shortened. */
function graceOf(pod: KubeObject, options: DeleteOptions): number {
  const { nodeName, terminationGracePeriodSeconds } = (pod.spec ?? {}) as Record<string, unknown>;
  const phase = pod.status?.phase;
  if (nodeName === undefined || phase === "Succeeded" || phase === "Failed") return 0;
  const own =
    typeof terminationGracePeriodSeconds === "number" ? terminationGracePeriodSeconds : DEFAULT_GRACE_SECONDS;
  const asked = options.gracePeriodSeconds ?? own;
  return Math.min(asked, pod.metadata.deletionGracePeriodSeconds ?? asked);
}

function deleting(type: ResourceType, object: KubeObject, graceSeconds: number, nowMs: number): KubeObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation = 0 } = object.metadata;
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === graceSeconds) return object;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      deletionTimestamp: formatInstant(nowMs + graceSeconds * 1000),
      deletionGracePeriodSeconds: graceSeconds,
      ...(type.generation ? { generation: generation + 1 } : {}),
    },
  };
}

function removeContents({ store, catalogue }: ServerContext, namespace: string): void {
  for (const type of catalogue.all()) {
    if (!type.namespaced || type.source !== undefined) continue;
    for (const object of store.list(type, namespace)) store.remove(type, object);
  }
}
