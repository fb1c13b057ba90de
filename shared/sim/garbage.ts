import type { ApiServer } from "#sim/api/api-server";
import { type KubeObject, keyOf } from "#sim/api/object";
import type { Controller } from "./controller.ts";
import { readRefKey, refKeyOf } from "./key.ts";
import { controllerOf, type Owners } from "./owners.ts";
import { WorkQueue } from "./work-queue.ts";
import { written } from "./writes.ts";

/** Deletes what its controlling owner has left behind. */
export function garbageCollector(server: ApiServer, owners: Owners): Controller {
  const queue = new WorkQueue();
  return {
    name: `${server.name}/garbage`,
    queue,
    observe(change, at) {
      if (at !== server) return;
      if (change.type === "DELETED") {
        for (const { object } of owners.all(change.object.metadata.uid)) queue.touch(refKeyOf(object));
      } else if (change.type === "ADDED" && !hasOwner(server, change.object)) {
        queue.touch(refKeyOf(change.object));
      }
    },
    reconcile(key, nowMs) {
      const { apiVersion, kind, namespace, name } = readRefKey(key);
      const type = server.catalogue.findKind(apiVersion, kind);
      if (type === undefined) return undefined;
      const object = server.store.get(type, namespace, name);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
      if (!hasOwner(server, object)) written(server.delete(type, keyOf(object), { nowMs }));
      return undefined;
    },
  };
}

/** Whether the owner that the object names is still there, and the same. Objects without an owner keep themselves. */
function hasOwner(server: ApiServer, object: KubeObject): boolean {
  const owner = controllerOf(object);
  if (owner === undefined) return true;
  const type = server.catalogue.findKind(owner.apiVersion, owner.kind);
  if (type === undefined) return true;
  const namespace = type.namespaced ? object.metadata.namespace : undefined;
  return server.store.get(type, namespace, owner.name)?.metadata.uid === owner.uid;
}
