import type { KubeObject } from "./object.ts";
import type { Schema } from "./schema.ts";

/** One served resource: everything the server must know to hold, check and print its objects. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Whether `metadata.generation` counts the changes of the spec. */
  readonly generation: boolean;
  /** Whether `/status` is a subresource: then writes of the object leave the status alone, and the other way round. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Printer columns after NAME (and NAMESPACE, which kubectl adds). */
  readonly columns: readonly Column[];
  /** Absent: nothing is checked or pruned. */
  readonly schema?: Schema;
  /** Defined by a CustomResourceDefinition: no strategic patches, and a PUT needs its resourceVersion. */
  readonly custom: boolean;
  /** Field selectors beside metadata.name and metadata.namespace. */
  readonly fieldSelectors: readonly string[];
  /** Pods: a delete first sets deletionTimestamp and leaves the end to the kubelet (delete with grace 0). */
  readonly graceful: boolean;
  /** What the server itself fills in, before admission: the defaults that Go code sets for built-in kinds. */
  readonly defaults?: (object: KubeObject) => KubeObject;
  /** Its objects are not stored but computed for each request (metrics.k8s.io): read-only, no watch. */
  readonly source?: VirtualSource;
}

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** JSON paths without the leading dot, as `["spec", "replicas"]`. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A selector as text (CRDs) or as a LabelSelector object (built-in kinds). */
  readonly selector?: readonly string[];
}

/** A column of the printed table. `cell` gets the object and the time; strings are printed as they are. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "date" | "boolean" | "number";
  readonly format?: string;
  readonly description: string;
  /** 0: always shown; 1: only with `-o wide`. */
  readonly priority: number;
  readonly cell: (object: KubeObject, nowMs: number) => string | number | boolean | null;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** All objects of a namespace, or of every namespace, as they are at the instant; ordered by namespace and name. */
export type VirtualSource = (namespace: string | undefined, nowMs: number) => readonly KubeObject[];
