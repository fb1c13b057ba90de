import type { Catalogue } from "./catalogue.ts";
import type { Outcome } from "./failure.ts";
import type { KubeObject, ObjectKey } from "./object.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Change, Store } from "./store.ts";

/**
 * One Kubernetes API server, synchronous and in memory: the hub or a member. Each operation is atomic, takes the time
 * as an argument, and comes back with its value or with the Status that an API server answers.
 *
 * Readers inside the simulator may read `store` directly; every write goes through an operation, so that versions,
 * generations, defaults, managed fields and admission hold for controllers as they do for clients.
 */
export interface ApiServer {
  /** `karmada-apiserver`, or the member's name. */
  readonly name: string;
  readonly store: Store;
  readonly catalogue: Catalogue;

  get(type: ResourceType, key: ObjectKey, nowMs: number): Outcome<KubeObject>;
  list(type: ResourceType, query: ListQuery, nowMs: number): Outcome<ObjectList>;
  /** The changes after `resourceVersion` that concern a resource, as its watchers see them; 410 when forgotten. */
  changes(
    type: ResourceType,
    query: SelectionQuery,
    resourceVersion: number,
  ): Outcome<readonly WatchChange[]>;
  /** What one change of the store means to a watcher of this selection; undefined when it does not concern it. */
  watched(type: ResourceType, query: SelectionQuery): Outcome<(change: Change) => WatchChange | undefined>;

  create(type: ResourceType, object: KubeObject, write: WriteOptions): Outcome<KubeObject>;
  /** PUT. Without a resourceVersion in the object it is unconditional; with a stale one 409. */
  update(type: ResourceType, object: KubeObject, write: WriteOptions): Outcome<KubeObject>;
  patch(type: ResourceType, key: ObjectKey, patch: Patch, write: WriteOptions): Outcome<KubeObject>;
  /** What comes back is the object that was removed, or that now waits with a deletionTimestamp. */
  delete(type: ResourceType, key: ObjectKey, options: DeleteOptions): Outcome<KubeObject>;

  getScale(type: ResourceType, key: ObjectKey): Outcome<KubeObject>;
  /** PUT of autoscaling/v1 Scale; a stale `metadata.resourceVersion` is 409. */
  updateScale(type: ResourceType, scale: KubeObject, write: WriteOptions): Outcome<KubeObject>;
  patchScale(type: ResourceType, key: ObjectKey, patch: Patch, write: WriteOptions): Outcome<KubeObject>;
}

export interface SelectionQuery {
  readonly namespace?: string | undefined;
  /** Text form, as in `?labelSelector=`. */
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListQuery extends SelectionQuery {
  readonly limit?: number | undefined;
  /** The token of the page before; its list is read at the version the first page was. */
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
}

export interface ObjectList {
  readonly resourceVersion: string;
  readonly items: readonly KubeObject[];
  /** Set when there are more. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resourceVersion: number;
  readonly object: KubeObject;
}

export interface WriteOptions {
  readonly nowMs: number;
  /** `status` writes only the status. Scale has operations of its own. */
  readonly subresource?: "status" | undefined;
  /** Who writes: recorded in managedFields. Absent: the write leaves no entry (cheap, for pods and their kin). */
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** What an unknown field does; the default Warn drops it and says so. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
  /**
   * A controller of the fleet writes a whole object of this type that it made itself: it is neither decoded nor
   * completed nor admitted again. Versions, generations and preconditions hold as ever.
   */
  readonly trusted?: boolean | undefined;
  /** Server-side apply takes over the fields that others own. */
  readonly force?: boolean | undefined;
}

/** The body is decoded JSON: a list of operations for `json`, a (partial) object for the others. */
export interface Patch {
  readonly type: "merge" | "strategic" | "apply" | "json";
  readonly body: unknown;
}

export interface DeleteOptions {
  readonly nowMs: number;
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/**
 * A mutating or validating hook, called after defaults and before the write, for creates, updates, patches and
 * deletes of the object itself and of its status (webhooks of Karmada do not see `status`, nor do these).
 */
export interface Admission {
  readonly matches: (type: ResourceType, operation: "CREATE" | "UPDATE" | "DELETE") => boolean;
  readonly admit: (request: AdmissionRequest) => AdmissionAnswer;
}

export interface AdmissionRequest {
  readonly type: ResourceType;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object: KubeObject;
  readonly oldObject?: KubeObject | undefined;
  readonly nowMs: number;
}

/** `webhook` names who denies: `admission webhook "…" denied the request: …`; 400 when it could not decode the object. */
export type AdmissionAnswer =
  | { readonly allowed: true; readonly object: KubeObject; readonly warnings?: readonly string[] }
  | { readonly allowed: false; readonly webhook: string; readonly message: string; readonly code: 400 | 403 };
