import { forbidden } from "#sim/api/failure";

/** What a request asks for, as Kubernetes' authorizers see it. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  /** `deployments`, `deployments/scale`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** The rights on the hub, and on every member. */
export interface Rights {
  readonly hub: Authorizer;
  readonly members: Authorizer;
}

export type Authorizer = (asked: Attributes) => boolean;

interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A manifest as far as rights are in it. */
export interface RightsManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: unknown;
  readonly roleRef?: unknown;
}

/**
 * Allows what ClusterRoles give through the ClusterRoleBindings and RoleBindings among these manifests, to whoever asks:
 * there is one subject. Ref: Kubernetes, "Using RBAC Authorization".
 */
export function rbac(manifests: readonly RightsManifest[]): Authorizer {
  const rules = new Map(
    manifests.flatMap(({ kind, metadata, rules = [] }) =>
      kind === "ClusterRole" ? [[metadata.name, rules as readonly RoleRule[]] as const] : [],
    ),
  );
  const bound = manifests.flatMap(({ kind, metadata, roleRef }) => {
    if (kind !== "ClusterRoleBinding" && kind !== "RoleBinding") return [];
    const granted = rules.get((roleRef as { readonly name: string }).name) ?? [];
    return [{ within: kind === "RoleBinding" ? metadata.namespace : undefined, granted }];
  });
  return (asked) =>
    bound.some(
      ({ within, granted }) =>
        (within === undefined || within === asked.namespace) && granted.some((rule) => allows(rule, asked)),
    );
}

function allows({ apiGroups, resources, verbs, resourceNames }: RoleRule, asked: Attributes): boolean {
  const subresource = asked.resource.split("/")[1];
  return (
    includes(verbs, asked.verb) &&
    includes(apiGroups, asked.group) &&
    (includes(resources, asked.resource) ||
      (subresource !== undefined && resources.includes(`*/${subresource}`))) &&
    (resourceNames === undefined || (asked.name !== undefined && resourceNames.includes(asked.name)))
  );
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

/** 403, in the API server's words. */
export function denial({ verb, group, resource, namespace }: Attributes): ReturnType<typeof forbidden> {
  const kind = group === "" ? resource : `${resource}.${group}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
  return forbidden(
    `${kind} is forbidden: User "mainsheet" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`,
  );
}
