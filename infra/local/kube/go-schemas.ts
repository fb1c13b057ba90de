import * as models from "@kubernetes/client-node/dist/gen/models/ObjectSerializer.js";
import { definitionName } from "#sim/api/kinds/go-type";
import { OBJECT_META } from "#sim/api/kinds/object-meta-schema";
import { quantity } from "#sim/api/kinds/schema-terms";
import type { Definitions, Schema } from "#sim/api/schema";
import { FIELD_RULES, QUANTITY_FIELDS, REQUIRED_FIELDS, WHOLE_OBJECTS } from "./go-schema-rules.ts";

/**
 * The schemas of the built-in kinds, read from the models of the official Kubernetes client, which are generated from
 * the API server's own OpenAPI. What those leave out (required fields, merge keys) stands in `go-schema-rules.ts`.
 */

interface Attribute {
  readonly baseName: string;
  readonly type: string;
  readonly format: string;
}

/** The roots: every kind that `#sim/api/resources` serves from Go types. */
const ROOTS: Readonly<
  Record<string, { readonly group: string; readonly version: string; readonly kind: string }>
> = {
  V1ConfigMap: { group: "", version: "v1", kind: "ConfigMap" },
  CoreV1Event: { group: "", version: "v1", kind: "Event" },
  V1Namespace: { group: "", version: "v1", kind: "Namespace" },
  V1Node: { group: "", version: "v1", kind: "Node" },
  V1Pod: { group: "", version: "v1", kind: "Pod" },
  V1Secret: { group: "", version: "v1", kind: "Secret" },
  V1Service: { group: "", version: "v1", kind: "Service" },
  V1DaemonSet: { group: "apps", version: "v1", kind: "DaemonSet" },
  V1Deployment: { group: "apps", version: "v1", kind: "Deployment" },
  V1ReplicaSet: { group: "apps", version: "v1", kind: "ReplicaSet" },
  V1StatefulSet: { group: "apps", version: "v1", kind: "StatefulSet" },
  V1CustomResourceDefinition: {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
  },
};

/** Definitions of every root and of all that they refer to. */
export function goDefinitions(): Definitions {
  const definitions = new Map<string, Schema>();
  for (const model of Object.keys(ROOTS)) define(model, definitions);
  return definitions;
}

function define(model: string, definitions: Map<string, Schema>): Schema {
  if (model === "V1ObjectMeta") return OBJECT_META;
  const name = nameOf(model);
  if (!definitions.has(name)) {
    // Set before its fields are followed: JSONSchemaProps refers to itself.
    definitions.set(name, {});
    definitions.set(name, schemaOf(model, definitions));
  }
  return { $ref: name };
}

function nameOf(model: string): string {
  const root = ROOTS[model];
  if (root !== undefined) return definitionName(root.group, root.version, root.kind);
  return `io.k8s.api.core.v1.${shortName(model)}`;
}

function shortName(model: string): string {
  return model.replace(/^(Core)?V1/, "");
}

function schemaOf(model: string, definitions: Map<string, Schema>): Schema {
  const owner = shortName(model);
  const properties: Record<string, Schema> = {};
  for (const { baseName, type, format } of attributesOf(model)) {
    const schema = QUANTITY_FIELDS.has(baseName) ? quantityField(type) : typed(type, format, definitions);
    const rule =
      FIELD_RULES[`${owner}.${baseName}`] ?? (baseName === "conditions" ? FIELD_RULES.conditions : undefined);
    properties[baseName] = rule === undefined ? schema : { ...schema, ...rule };
  }
  const required = REQUIRED_FIELDS[owner];
  return {
    type: "object",
    properties,
    ...(required === undefined ? {} : { required }),
    ...(WHOLE_OBJECTS.has(owner) ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
}

function attributesOf(model: string): readonly Attribute[] {
  const found = (models as unknown as Record<string, { getAttributeTypeMap(): readonly Attribute[] }>)[model];
  if (found === undefined) throw new Error(`invariant: the Kubernetes client has no model ${model}`);
  return found.getAttributeTypeMap();
}

function quantityField(type: string): Schema {
  return type.startsWith("{") ? { type: "object", additionalProperties: quantity } : quantity;
}

function typed(type: string, format: string, definitions: Map<string, Schema>): Schema {
  const items = /^(?:Array|Set)<(.*)>$/.exec(type)?.[1];
  if (items !== undefined) return { type: "array", items: typed(items, "", definitions) };
  const values = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (values !== undefined) return { type: "object", additionalProperties: typed(values, "", definitions) };
  switch (type) {
    case "string":
    case "boolean":
      return { type };
    case "number":
      return format === "double"
        ? { type: "number", format }
        : { type: "integer", ...(format === "" ? {} : { format }) };
    case "Date":
    case "V1MicroTime":
      return { type: "string", format: "date-time" };
    case "IntOrString":
      return { "x-kubernetes-int-or-string": true };
    case "any":
      return {};
    default:
      return define(type, definitions);
  }
}
