import type { JsonObject, KubeObject } from "#sim/api/object";
import { isJsonObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import type { Schema } from "#sim/api/schema";
import { AGE, column, type PrinterColumn, printerColumn } from "./column.ts";
import { ALL_VERBS, goType } from "./go-type.ts";
import { OBJECT_META } from "./object-meta-schema.ts";

/** The spec of a CustomResourceDefinition, as far as this server reads it. */
export interface CrdSpec {
  readonly group: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly names: {
    readonly plural: string;
    readonly singular?: string;
    readonly kind: string;
    readonly listKind?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  readonly versions: readonly CrdVersion[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema: Schema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

export const CUSTOM_RESOURCE_DEFINITIONS = goType({
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  namespaced: false,
  generation: true,
  status: true,
  columns: [column("Created At", (object) => object.metadata.creationTimestamp ?? "")],
  defaults: established,
});

/** A definition is in force at once: its names are accepted and it is established. */
function established(object: KubeObject): KubeObject {
  if (object.status !== undefined) return object;
  const lastTransitionTime = object.metadata.creationTimestamp;
  const spec = object.spec as unknown as CrdSpec | undefined;
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: "True",
    lastTransitionTime,
    reason,
    message,
  });
  return {
    ...object,
    status: {
      acceptedNames: spec?.names,
      conditions: [
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
      ],
      storedVersions: (spec?.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name),
    },
  };
}

/** The CustomResourceDefinition object of a spec. */
export function crdObject(spec: CrdSpec): KubeObject {
  const { kind } = spec.names;
  const names = { listKind: `${kind}List`, singular: kind.toLowerCase(), ...spec.names };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${spec.names.plural}.${spec.group}` },
    spec: { ...spec, names, conversion: { strategy: "None" } } as unknown as JsonObject,
  };
}

/** The resources that a definition adds to its server: one for every served version. */
export function typesOfCrd(spec: CrdSpec): readonly ResourceType[] {
  return spec.versions.filter(({ served }) => served).map((version) => typeOfVersion(spec, version));
}

function typeOfVersion({ group, names, scope }: CrdSpec, version: CrdVersion): ResourceType {
  const { status, scale } = version.subresources ?? {};
  const columns = version.additionalPrinterColumns?.map(printerColumn) ?? [AGE];
  const schema = version.schema?.openAPIV3Schema;
  return {
    group,
    version: version.name,
    resource: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    verbs: ALL_VERBS,
    generation: true,
    status: status !== undefined,
    columns,
    ...(schema === undefined ? {} : { schema: withObjectFields(schema) }),
    custom: true,
    fieldSelectors: [],
    graceful: false,
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicas: pathOf(scale.specReplicasPath),
            statusReplicas: pathOf(scale.statusReplicasPath),
            ...(scale.labelSelectorPath === undefined ? {} : { selector: pathOf(scale.labelSelectorPath) }),
          },
        }),
  };
}

/** Every object has apiVersion, kind and metadata, whether its schema says so or not. */
function withObjectFields(schema: Schema): Schema {
  const { apiVersion, kind, metadata, ...properties } = schema.properties ?? {};
  return {
    ...schema,
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: OBJECT_META,
      ...properties,
    },
  };
}

function pathOf(jsonPath: string): readonly string[] {
  return jsonPath.split(".").slice(1);
}

/** Reads the spec out of a stored definition; undefined when it is none. */
export function crdSpecOf(object: KubeObject): CrdSpec | undefined {
  const { spec } = object;
  return isJsonObject(spec) && isJsonObject(spec.names) && Array.isArray(spec.versions)
    ? (spec as unknown as CrdSpec)
    : undefined;
}
