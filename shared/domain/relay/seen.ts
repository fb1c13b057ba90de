import { changeOf, type ObjectChange, type WatchedObject } from "./watched-object.ts";
import type { Workloads } from "./workloads.ts";

/** So many deletions are remembered, for events that come late or again. */
const GONE_LIMIT = 200;

/**
 * What was seen of one watched resource: tells events and lists that say something new from those that do not, whether
 * they come twice, late, or after a gap.
 */
export class Seen {
  readonly #namespaces = new Map<string, Map<string, WatchedObject>>();
  /** The uids of what was deleted, oldest first: an older event of theirs must not bring them back. */
  readonly #gone = new Set<string>();
  readonly #workloads: Workloads | undefined;

  /** `workloads` are kept to those that the objects speak of, as these come and go. */
  constructor(workloads?: Workloads) {
    this.#workloads = workloads;
  }

  get(namespace: string | undefined, name: string): WatchedObject | undefined {
    return this.#namespaces.get(namespace ?? "")?.get(name);
  }

  *objects(): Generator<WatchedObject> {
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  get size(): number {
    let size = 0;
    for (const objects of this.#namespaces.values()) size += objects.size;
    return size;
  }

  /** The uids of the last that were deleted. */
  get gone(): readonly string[] {
    return [...this.#gone];
  }

  /** Takes an object as it was, without a word. */
  restore(object: WatchedObject): void {
    const { namespace = "", name } = object;
    const objects = this.#namespaces.get(namespace) ?? new Map<string, WatchedObject>();
    const former = objects.get(name);
    if (former !== undefined) this.#workloads?.remove(former);
    this.#workloads?.add(object);
    this.#namespaces.set(namespace, objects.set(name, object));
  }

  /** Takes away an object as it was deleted, without a word. */
  remove({ namespace = "", name, uid }: WatchedObject): void {
    const objects = this.#namespaces.get(namespace);
    const known = objects?.get(name);
    if (known?.uid === uid) {
      objects?.delete(name);
      this.#workloads?.remove(known);
    }
    if (objects?.size === 0) this.#namespaces.delete(namespace);
    this.bury(uid);
  }

  /** Events of an object with this uid are too late from now on. */
  bury(uid: string): void {
    this.#gone.add(uid);
    if (this.#gone.size > GONE_LIMIT) this.#gone.delete(this.#gone.values().next().value as string);
  }

  /** What an event of a watch changes; undefined for one that comes twice, too late, or changes nothing that matters. */
  observe(type: "ADDED" | "MODIFIED" | "DELETED", object: WatchedObject): ObjectChange | undefined {
    const known = this.get(object.namespace, object.name);
    if (this.#gone.has(object.uid)) return undefined;
    if (known !== undefined && isOlder(object, known, type === "DELETED")) return undefined;
    const before = known?.uid === object.uid ? known.digest : "";
    if (type === "DELETED") {
      this.remove(object);
      return before === "" ? undefined : changeOf("deleted", object, known);
    }
    if (known !== undefined && known.uid !== object.uid) {
      this.remove(known);
      if (object.digest === "" && known.digest !== "") {
        this.restore(object);
        return changeOf("deleted", known, known);
      }
    }
    this.restore(object);
    if (object.digest === before) return undefined;
    return changeOf(known?.uid === object.uid ? "modified" : "added", object, known);
  }

  /** Takes a whole list in place of what was seen, and gives the real differences, deletions first. */
  replace(listed: readonly WatchedObject[]): readonly ObjectChange[] {
    const former = new Map([...this.objects()].map((object) => [object.uid, object]));
    const now = new Set(listed.map(({ uid }) => uid));
    const changes: ObjectChange[] = [];
    for (const object of former.values()) {
      if (now.has(object.uid)) continue;
      this.remove(object);
      if (object.digest !== "") changes.push(changeOf("deleted", object, object));
    }
    for (const object of listed) {
      const before = former.get(object.uid);
      this.restore(object);
      if (object.digest === (before?.digest ?? "")) continue;
      changes.push(changeOf(before === undefined ? "added" : "modified", object, before));
    }
    return changes;
  }
}

/** Whether the object is not later than the one known. Versions that are no numbers cannot be compared, and are later. */
function isOlder(object: WatchedObject, known: WatchedObject, isDeletion: boolean): boolean {
  const order = compareVersions(object.resourceVersion, known.resourceVersion);
  if (order === undefined) return false;
  // A server may give a deletion the version of the object's last state.
  return order < 0 || (order === 0 && !(isDeletion && object.uid === known.uid));
}

/** Below, at or above 0; undefined where one is not a number. Ref: Kubernetes KEP-5504, comparable resource versions. */
export function compareVersions(a: string, b: string): number | undefined {
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return undefined;
  return a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;
}
