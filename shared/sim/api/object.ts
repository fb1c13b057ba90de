/**
 * Kubernetes objects as the API server holds them: JSON values that are never changed in place. A write makes a new
 * object that shares its unchanged parts with the old one, so readers may keep what they were given.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly [field: string]: unknown;
}

/** A JSON object of which nothing is known. */
export type JsonObject = { readonly [field: string]: unknown };

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Who owns which fields: what tells the writers of an object apart. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: JsonObject;
  readonly subresource?: string;
}

/** Which object, inside one resource; `namespace` is absent for cluster-scoped ones. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The key of a stored object. */
export function keyOf(object: KubeObject): ObjectKey {
  return { namespace: object.metadata.namespace, name: object.metadata.name ?? "" };
}

/** Whether a value is a JSON object (neither null, list nor scalar). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
