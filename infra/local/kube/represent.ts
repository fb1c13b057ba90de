import type { ObjectList } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import { partialMetadata } from "#sim/api/view/partial-metadata";
import { type IncludeObject, tableOf } from "#sim/api/view/table";
import type { Form } from "./accept.ts";

/** How one client sees the objects of a resource. */
export interface Representation {
  readonly type: ResourceType;
  readonly form: Form;
  readonly include: IncludeObject;
  readonly nowMs: number;
}

export function representObject({ type, form, include, nowMs }: Representation, object: KubeObject): object {
  const { resourceVersion = "" } = object.metadata;
  if (form === "table") return tableOf(type, [object], { resourceVersion }, include, nowMs);
  return form === "metadata" ? partialMetadata(object) : object;
}

export function representList({ type, form, include, nowMs }: Representation, list: ObjectList): object {
  const { items, ...metadata } = list;
  if (form === "table") return tableOf(type, items, metadata, include, nowMs);
  if (form === "metadata") {
    const partial = items.map(partialMetadata);
    return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items: partial };
  }
  return { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items };
}
