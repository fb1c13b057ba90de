import type { KubeObject } from "./object.ts";
import { Shelf } from "./shelf.ts";

/**
 * The memory of one API server (etcd and its watch cache): the objects of every resource under one resourceVersion
 * counter, and a bounded history of changes. It knows nothing of kinds: every rule of the API lives above it.
 *
 * Objects are held by group, plural, namespace and name, not by version: all versions of a resource are one object.
 */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resourceVersion: number;
  readonly group: string;
  readonly resource: string;
  /** The object after the change; for DELETED its last state, with the resourceVersion of the deletion. */
  readonly object: KubeObject;
  /** The object before; absent for ADDED. */
  readonly previous?: KubeObject;
  /** No change, but an object as a snapshot found it: what led to it is forgotten. */
  readonly snapshot?: true;
}

export interface StoreOptions {
  /** How many changes can be looked back on before a watch answers 410; default 10,000. */
  readonly historyLimit?: number;
  /**
   * Called with each change before anyone can see it and before it is acknowledged: the host's journal. If it
   * throws, the write did not happen.
   */
  readonly onCommit?: (change: Change) => void;
}

export interface StoredResource {
  readonly group: string;
  readonly resource: string;
}

export class Store {
  /** By plural, group, namespace and name: maps inside maps, because a joined key on every read costs more than the read. */
  readonly #resources = new Map<string, Map<string, Map<string, Shelf>>>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #historyLimit: number;
  readonly #onCommit: ((change: Change) => void) | undefined;
  #history: Change[] = [];
  #resourceVersion = 0;
  #oldestKnown = 0;

  constructor(options: StoreOptions = {}) {
    this.#historyLimit = options.historyLimit ?? 10_000;
    this.#onCommit = options.onCommit;
  }

  /** The version of the last change; 0 for an empty store. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get(of: StoredResource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#namespaces(of)
      ?.get(namespace ?? "")
      ?.get(name);
  }

  /** Every object of a resource, in one namespace or in all, ordered by namespace and name as etcd does. */
  list(of: StoredResource, namespace?: string): readonly KubeObject[] {
    const namespaces = this.#namespaces(of);
    if (namespaces === undefined) return [];
    if (namespace !== undefined) return namespaces.get(namespace)?.sorted() ?? [];
    if (namespaces.size === 1) for (const only of namespaces.values()) return only.sorted();
    const keys = [...namespaces.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
    return keys.flatMap((key) => namespaces.get(key)?.sorted() ?? []);
  }

  /** Number of objects of a resource, over all namespaces. */
  count(of: StoredResource): number {
    let total = 0;
    for (const objects of this.#namespaces(of)?.values() ?? []) total += objects.size;
    return total;
  }

  /** Stores a new or changed object under the next resourceVersion, which it carries when it comes back. */
  put(of: StoredResource, object: KubeObject): KubeObject {
    const previous = this.get(of, object.metadata.namespace, object.metadata.name ?? "");
    return this.#commit({
      type: previous === undefined ? "ADDED" : "MODIFIED",
      ...this.#stamped(of, object),
      ...(previous === undefined ? {} : { previous }),
    });
  }

  /** Removes an object; what comes back is its last state under the resourceVersion of the removal. */
  remove(of: StoredResource, object: KubeObject): KubeObject {
    const previous = this.get(of, object.metadata.namespace, object.metadata.name ?? "") ?? object;
    return this.#commit({ type: "DELETED", ...this.#stamped(of, object), previous });
  }

  /**
   * Calls `listener` synchronously after each change, in order, until the returned function is called. A listener may
   * write; those changes are delivered after the current one has reached every listener.
   */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The changes after a resourceVersion, oldest first; undefined when some of them are forgotten (410). */
  changesSince(resourceVersion: number): readonly Change[] | undefined {
    if (resourceVersion < this.#oldestKnown) return undefined;
    return this.#history.slice(firstAfter(this.#history, resourceVersion));
  }

  /** The oldest resourceVersion that a watch can still resume from. */
  get oldestResourceVersion(): number {
    return this.#oldestKnown;
  }

  /** Forgets all but the last `keep` changes, as a compaction does: older watches and pages then answer 410. */
  compact(keep = 0): void {
    const drop = this.#history.length - keep;
    if (drop <= 0) return;
    this.#oldestKnown = this.#history[drop - 1]?.resourceVersion ?? this.#oldestKnown;
    this.#history = this.#history.slice(drop);
  }

  /**
   * Replays journalled changes into an empty store, without journalling or announcing them again. `previous` need not
   * be journalled: it is what the store holds at that point.
   */
  restore(changes: Iterable<Omit<Change, "previous">>): void {
    for (const { type, resourceVersion, group, resource, object, snapshot } of changes) {
      const { namespace, name = "" } = object.metadata;
      const previous = this.get({ group, resource }, namespace, name);
      const change = { type, resourceVersion, group, resource, object };
      this.#record(previous === undefined ? change : { ...change, previous });
      if (snapshot) this.compact();
    }
  }

  /** Every object as the change that made it what it is, oldest first: what `restore` needs at least. */
  snapshot(): readonly Change[] {
    const changes: Change[] = [];
    for (const [resource, groups] of this.#resources) {
      for (const [group, namespaces] of groups) {
        for (const object of [...namespaces.values()].flatMap((objects) => objects.sorted())) {
          const resourceVersion = Number(object.metadata.resourceVersion);
          changes.push({ type: "ADDED", resourceVersion, group, resource, object, snapshot: true });
        }
      }
    }
    return changes.sort((a, b) => a.resourceVersion - b.resourceVersion);
  }

  readonly #pending: Change[] = [];
  #delivering = false;

  #stamped(of: StoredResource, object: KubeObject): Omit<Change, "type" | "previous"> {
    const resourceVersion = this.#resourceVersion + 1;
    const metadata = { ...object.metadata, resourceVersion: String(resourceVersion) };
    return { resourceVersion, group: of.group, resource: of.resource, object: { ...object, metadata } };
  }

  #commit(change: Change): KubeObject {
    this.#onCommit?.(change);
    this.#record(change);
    this.#pending.push(change);
    this.#deliver();
    return change.object;
  }

  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let change = this.#pending.shift(); change !== undefined; change = this.#pending.shift()) {
        for (const listener of this.#listeners) listener(change);
      }
    } finally {
      this.#delivering = false;
    }
  }

  #record(change: Change): void {
    const { namespace, name = "" } = change.object.metadata;
    const objects = this.#objects(change, namespace ?? "");
    if (change.type === "DELETED") objects.delete(name);
    else objects.set(name, change.object);
    this.#resourceVersion = change.resourceVersion;
    this.#history.push(change);
    // Cut in large steps, so that the copy is paid once per many writes.
    if (this.#history.length > this.#historyLimit * 1.25) this.compact(this.#historyLimit);
  }

  #objects(of: StoredResource, namespace: string): Shelf {
    const namespaces = childOf(childOf(this.#resources, of.resource), of.group);
    const existing = namespaces.get(namespace);
    if (existing !== undefined) return existing;
    const made = new Shelf();
    namespaces.set(namespace, made);
    return made;
  }

  #namespaces(of: StoredResource): Map<string, Shelf> | undefined {
    return this.#resources.get(of.resource)?.get(of.group);
  }
}

function childOf<K, C>(parent: Map<string, Map<K, C>>, key: string): Map<K, C> {
  const existing = parent.get(key);
  if (existing !== undefined) return existing;
  const made = new Map<K, C>();
  parent.set(key, made);
  return made;
}

/** Index of the first change with a later resourceVersion (binary search; the history is ordered). */
function firstAfter(history: readonly Change[], resourceVersion: number): number {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((history[middle]?.resourceVersion ?? 0) <= resourceVersion) low = middle + 1;
    else high = middle;
  }
  return low;
}
