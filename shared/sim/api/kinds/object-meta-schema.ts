import type { Schema } from "#sim/api/schema";

export const OBJECT_META_NAME = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const OWNER_REFERENCE = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference";

/** How every kind refers to its metadata. */
export const OBJECT_META: Schema = { $ref: OBJECT_META_NAME };

const text: Schema = { type: "string" };
const time: Schema = { type: "string", format: "date-time" };
const int64: Schema = { type: "integer", format: "int64" };
const textMap: Schema = { type: "object", additionalProperties: text };

/** The definitions that every server has, with or without the schemas of the built-in kinds. */
export const META_DEFINITIONS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [
    OBJECT_META_NAME,
    {
      type: "object",
      description: "ObjectMeta is metadata that all persisted resources must have.",
      properties: {
        name: { ...text, description: "Name must be unique within a namespace." },
        generateName: { ...text, description: "An optional prefix for a name that the server generates." },
        namespace: {
          ...text,
          description: "Namespace defines the space within which each name must be unique.",
        },
        selfLink: text,
        uid: { ...text, description: "UID is the unique in time and space value for this object." },
        resourceVersion: {
          ...text,
          description: "An opaque value that represents the internal version of this object.",
        },
        generation: { ...int64, description: "A sequence number of the desired state." },
        creationTimestamp: time,
        deletionTimestamp: time,
        deletionGracePeriodSeconds: int64,
        labels: { ...textMap, description: "Map of keys and values to organize and select objects." },
        annotations: { ...textMap, description: "Unstructured key value map stored with the resource." },
        ownerReferences: {
          type: "array",
          items: { $ref: OWNER_REFERENCE },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["uid"],
          "x-kubernetes-patch-strategy": "merge",
          "x-kubernetes-patch-merge-key": "uid",
        },
        finalizers: {
          type: "array",
          items: text,
          "x-kubernetes-list-type": "set",
          "x-kubernetes-patch-strategy": "merge",
        },
        managedFields: {
          type: "array",
          items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          "x-kubernetes-list-type": "atomic",
        },
      },
    },
  ],
  [
    OWNER_REFERENCE,
    {
      type: "object",
      description: "OwnerReference contains enough information to let you identify an owning object.",
      required: ["apiVersion", "kind", "name", "uid"],
      properties: {
        apiVersion: text,
        kind: text,
        name: text,
        uid: text,
        controller: { type: "boolean" },
        blockOwnerDeletion: { type: "boolean" },
      },
      "x-kubernetes-map-type": "atomic",
    },
  ],
]);
