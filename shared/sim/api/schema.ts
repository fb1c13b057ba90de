/**
 * A structural OpenAPI v3 schema, in the subset that CustomResourceDefinitions use. The same value checks and prunes
 * what is written, tells server-side apply which lists merge, and is what `/openapi/v3` shows.
 */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly nullable?: boolean;
  /** The name of another schema of the catalogue, e.g. `io.k8s.api.core.v1.PodSpec`; nothing else is read beside it. */
  readonly $ref?: string;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  /** A whole object inside another one (manifests of a Work): nothing is checked. */
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

/** Named schemas, for `$ref`. */
export type Definitions = ReadonlyMap<string, Schema>;

/** The schema itself, with `$ref` followed; undefined where nothing is known. */
export function resolved(schema: Schema | undefined, definitions: Definitions): Schema | undefined {
  return schema?.$ref === undefined ? schema : definitions.get(schema.$ref);
}

/** The schema of a field of an object schema; undefined for an unknown field. */
export function fieldSchema(
  schema: Schema | undefined,
  field: string,
  definitions: Definitions,
): Schema | undefined {
  return resolved(schema?.properties?.[field] ?? schema?.additionalProperties, definitions);
}
