import type { ResourceType, Verb } from "#sim/api/resource-type";

export const ALL_VERBS: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** A kind that is compiled into the API server; its schema is the definition of its Go type. */
export function goType(
  declared: Partial<ResourceType> & Pick<ResourceType, "version" | "resource" | "kind">,
): ResourceType {
  const group = declared.group ?? "";
  return {
    group,
    singular: declared.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ALL_VERBS,
    generation: false,
    status: false,
    columns: [],
    schema: { $ref: definitionName(group, declared.version, declared.kind) },
    custom: false,
    fieldSelectors: [],
    graceful: false,
    ...declared,
  };
}

/** The name of a kind's definition: `io.k8s.api.apps.v1.Deployment`. */
export function definitionName(group: string, version: string, kind: string): string {
  if (group === "") return `io.k8s.api.core.${version}.${kind}`;
  if (!group.includes(".")) return `io.k8s.api.${group}.${version}.${kind}`;
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}
