import type { Catalogue } from "#sim/api/catalogue";
import { definitionName } from "#sim/api/kinds/go-type";
import { apiVersionOf, type ResourceType } from "#sim/api/resource-type";
import type { Schema } from "#sim/api/schema";

/**
 * OpenAPI v3, as far as kubectl reads it: `explain` the schemas, `apply` which parameters and patches a kind takes.
 */

/** `/openapi/v3`: where the document of each group and version is. */
export function openApiIndex(catalogue: Catalogue): object {
  const paths = new Set(catalogue.all().map(documentPath));
  return {
    paths: Object.fromEntries(
      [...paths]
        .sort()
        .map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(catalogue, path)}` }]),
    ),
  };
}

/** The document at `api/v1` or `apis/<group>/<version>`; undefined where nothing is served. */
export function openApiDocument(catalogue: Catalogue, path: string): object | undefined {
  const types = catalogue.all().filter((type) => documentPath(type) === path);
  if (types.length === 0) return undefined;
  const schemas: Record<string, object> = {};
  for (const type of types) addRoot(catalogue, type, schemas);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "unversioned" },
    paths: Object.fromEntries(types.flatMap((type) => pathsOf(type))),
    components: { schemas },
  };
}

function documentPath(type: ResourceType): string {
  return type.group === "" ? `api/${type.version}` : `apis/${apiVersionOf(type)}`;
}

/** Any text that changes with what the document shows: clients cache by it. */
function hashOf(catalogue: Catalogue, path: string): string {
  const served = catalogue.all().filter((type) => documentPath(type) === path);
  return served.map(({ resource }) => resource).join("-");
}

function kindOf({ group, version, kind }: ResourceType) {
  return { group, version, kind };
}

function addRoot(catalogue: Catalogue, type: ResourceType, schemas: Record<string, object>): void {
  const name = definitionName(type.group, type.version, type.kind);
  const root = type.schema?.$ref === name ? catalogue.definitions.get(name) : type.schema;
  schemas[name] = {
    ...shown(root ?? { type: "object" }, catalogue, schemas),
    "x-kubernetes-group-version-kind": [kindOf(type)],
  };
}

/** The schema with its references spelled out for the document, and what they name added to it. */
function shown(schema: Schema, catalogue: Catalogue, schemas: Record<string, object>): object {
  const { $ref, properties, additionalProperties, items, ...rest } = schema;
  if ($ref !== undefined) {
    addDefinition($ref, catalogue, schemas);
    const { default: fallback, description } = schema;
    return {
      allOf: [{ $ref: `#/components/schemas/${$ref}` }],
      default: fallback ?? {},
      ...(description ? { description } : {}),
    };
  }
  return {
    ...rest,
    ...(schema["x-kubernetes-int-or-string"] ? { oneOf: [{ type: "integer" }, { type: "string" }] } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]) => [field, shown(value, catalogue, schemas)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: shown(additionalProperties, catalogue, schemas) }),
    ...(items === undefined ? {} : { items: shown(items, catalogue, schemas) }),
  };
}

function addDefinition(name: string, catalogue: Catalogue, schemas: Record<string, object>): void {
  const definition = catalogue.definitions.get(name);
  if (schemas[name] !== undefined) return;
  // Set before it is followed: some definitions refer to themselves.
  schemas[name] = {};
  schemas[name] = shown(definition ?? { type: "object" }, catalogue, schemas);
}

function pathsOf(type: ResourceType): readonly (readonly [string, object])[] {
  const prefix = type.group === "" ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  const collection = type.namespaced
    ? `${prefix}/namespaces/{namespace}/${type.resource}`
    : `${prefix}/${type.resource}`;
  return [
    [collection, { ...operation(type, "get", "list"), ...operation(type, "post", "create") }],
    [
      `${collection}/{name}`,
      {
        ...operation(type, "get", "get"),
        ...operation(type, "put", "update"),
        ...operation(type, "delete", "delete"),
        ...operation(type, "patch", "patch"),
      },
    ],
  ];
}

const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation", "force"].map((name) => ({
  name,
  in: "query",
  schema: { type: name === "force" ? "boolean" : "string", uniqueItems: true },
}));

function operation(type: ResourceType, method: string, verb: ResourceType["verbs"][number]): object {
  if (!type.verbs.includes(verb)) return {};
  const action = verb === "create" ? "post" : verb === "update" ? "put" : verb;
  const writes = method !== "get";
  return {
    [method]: {
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": kindOf(type),
      parameters: writes ? WRITE_PARAMETERS : [],
      ...(method === "patch" ? { requestBody: { content: patchContent(type) } } : {}),
      responses: { "200": { description: "OK" } },
    },
  };
}

function patchContent(type: ResourceType): object {
  const types = [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/apply-patch+yaml",
  ];
  if (!type.custom) types.push("application/strategic-merge-patch+json");
  return Object.fromEntries(types.map((mediaType) => [mediaType, { schema: { type: "object" } }]));
}
