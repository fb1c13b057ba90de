import type { KubeObject, ObjectMeta } from "#sim/api/object";

/** An object reduced to its metadata (`as=PartialObjectMetadata`). */
export interface PartialObjectMetadata {
  readonly kind: "PartialObjectMetadata";
  readonly apiVersion: "meta.k8s.io/v1";
  readonly metadata: ObjectMeta;
}

export function partialMetadata({ metadata }: KubeObject): PartialObjectMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
