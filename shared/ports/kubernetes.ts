/// <reference path="./abort-signal.d.ts" />
/**
 * One Karmada hub and, through it, its members. Every method throws only `PortFault`; every request carries a
 * deadline (default 5 s, and never past `signal`), is sent once (no hidden retry), and at most six are in flight
 * per port; a watch is a stream and not counted.
 */
export interface KubernetesPort {
  /**
   * Every object of a resource, all pages followed to the end. A continue token that expired (410) starts the list
   * again, twice at most, then it is `unavailable`: a partial list is never returned (B29).
   */
  list<T extends KubeObject = KubeObject>(
    at: Server,
    resource: ResourceRef,
    query?: ListQuery,
  ): Promise<KubeList<T>>;

  /** The same list with metadata only (PartialObjectMetadataList). */
  listMetadata(at: Server, resource: ResourceRef, query?: ListQuery): Promise<KubeList<KubeObject>>;

  /** One object; `missing` where there is none. */
  get<T extends KubeObject = KubeObject>(at: Server, resource: ResourceRef, name: ObjectName): Promise<T>;

  /** The `scale` subresource (autoscaling/v1). */
  getScale(at: Server, resource: ResourceRef, name: ObjectName): Promise<Scale>;

  /**
   * PUT of the hub's `scale` with `metadata.resourceVersion` as precondition: `conflict` when the object has moved.
   * `spec.replicas` is always on the wire, also when it is 0. A lost answer is `unavailable`: the write may have won.
   */
  updateScale(resource: ResourceRef, scale: Scale, options: WriteOptions): Promise<Scale>;

  /** Merge patch (application/merge-patch+json). A `metadata.resourceVersion` in the patch is a precondition. */
  mergePatch(
    resource: ResourceRef,
    name: ObjectName,
    patch: object,
    options: PatchOptions,
  ): Promise<KubeObject>;

  create(resource: ResourceRef, object: KubeObject, options: WriteOptions): Promise<KubeObject>;

  /** Every served resource that has verbs, of all groups and versions, in the server's order of preference. */
  discover(at: Server): Promise<readonly ApiResource[]>;

  /**
   * Changes after `resourceVersion`, in order, with bookmarks, until `timeoutSeconds` have passed or `signal` aborts.
   * Throws `PortFault("missing")` when the version is no longer held (410): list again and go on from there.
   */
  watch(at: Server, resource: ResourceRef, query: WatchQuery): AsyncIterable<WatchEvent>;
}

/** The hub itself, or a member behind its proxy. */
export type Server = "hub" | { readonly member: string };

export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  /** The plural: `deployments`. */
  readonly resource: string;
}

/** `namespace` is absent for cluster-scoped objects. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

export interface ListQuery {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchQuery extends ListQuery {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

export interface WriteOptions {
  readonly fieldManager: string;
}
export interface PatchOptions extends WriteOptions {
  readonly subresource?: "status" | "scale";
  /** The server does everything but store it, and refuses fields that the kind does not have, too. */
  readonly dryRun?: boolean;
}

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly managedFields?: readonly ManagedFields[];
  readonly [field: string]: unknown;
}

export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: object;
}

export interface KubeList<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** autoscaling/v1 Scale, as far as it matters here. */
export interface Scale {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** 0 where the field is absent (B61). */
  readonly replicas: number;
  readonly statusReplicas: number;
  readonly selector: string;
}

export interface ApiResource extends ResourceRef {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether it has a `scale` subresource. */
  readonly scalable: boolean;
}
