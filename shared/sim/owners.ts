import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject, OwnerReference } from "#sim/api/object";
import type { Change, StoredResource } from "#sim/api/store";

/** One object with the resource it is of. */
export interface Owned extends StoredResource {
  readonly object: KubeObject;
}

/**
 * Which objects of one server belong to which owner, by `metadata.ownerReferences`. Kept beside the store, which it
 * can be made from at any moment.
 */
export class Owners {
  readonly #ownedBy = new Map<string, Map<string, Owned>>();

  constructor({ store, catalogue }: ApiServer) {
    for (const { group, resource, source } of catalogue.all()) {
      if (source !== undefined) continue;
      for (const object of store.list({ group, resource })) this.#set({ group, resource, object });
    }
    store.subscribe((change) => this.#follow(change));
  }

  /** What an owner controls of one resource, in no particular order. */
  of(uid: string | undefined, resource: StoredResource): readonly KubeObject[] {
    const found: KubeObject[] = [];
    for (const owned of this.#ownedBy.get(uid ?? "")?.values() ?? []) {
      if (owned.resource === resource.resource && owned.group === resource.group) found.push(owned.object);
    }
    return found;
  }

  /** All that an owner controls. */
  all(uid: string | undefined): Iterable<Owned> {
    return this.#ownedBy.get(uid ?? "")?.values() ?? [];
  }

  #follow({ group, resource, type, object, previous }: Change): void {
    if (previous !== undefined && (type === "DELETED" || ownerUid(previous) !== ownerUid(object))) {
      this.#drop({ group, resource, object: previous });
    }
    if (type !== "DELETED") this.#set({ group, resource, object });
  }

  #set(owned: Owned): void {
    const uid = ownerUid(owned.object);
    if (uid === undefined) return;
    const siblings = this.#ownedBy.get(uid);
    if (siblings === undefined) this.#ownedBy.set(uid, new Map([[entryKey(owned), owned]]));
    else siblings.set(entryKey(owned), owned);
  }

  #drop(owned: Owned): void {
    const uid = ownerUid(owned.object) ?? "";
    const siblings = this.#ownedBy.get(uid);
    siblings?.delete(entryKey(owned));
    if (siblings?.size === 0) this.#ownedBy.delete(uid);
  }
}

/** The reference with `controller: true`: an object has one at most. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** The reference that a controller puts on what it makes. */
export function ownedBy(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? "",
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

function ownerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid;
}

/** An owner's children are few kinds in one namespace: their uid tells them apart. */
function entryKey({ object }: Owned): string {
  return object.metadata.uid ?? "";
}
