/** The Kubernetes rights that the functions need, on a hub and in its members: what they ask for, and nothing more. */
import { KNOWN_KINDS } from "#wire/kubernetes/resources";

export interface RbacOptions {
  /** The kinds that FederatedHPAs and CronFederatedHPAs scale. */
  readonly kinds: readonly ScaledKind[];
  readonly subject: Subject;
  /** `observe` reads only. */
  readonly mode: "observe" | "active";
  /** Where it may write; absent: in every namespace. */
  readonly activeNamespaces?: readonly string[];
  readonly metrics: ReadonlySet<MetricRight>;
  /** What a relay watches; `pods`: the members' pods, too. */
  readonly relay?: "hub" | "pods" | undefined;
  /** The ConfigMaps with shadow specs that it may read, by name; empty: all of them. Absent: none. */
  readonly shadow?: readonly string[];
}

/** Sources of metrics beside pods' cpu and memory as the members report them. */
export const METRIC_RIGHTS = ["custom", "external", "hub"] as const;
export type MetricRight = (typeof METRIC_RIGHTS)[number];

export interface ScaledKind {
  readonly group: string;
  readonly resource: string;
}

export interface Subject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

const RBAC = "rbac.authorization.k8s.io";
const AUTOSCALING = "autoscaling.karmada.io";

/** `Deployment`, `deployments.apps`, `clonesets.apps.kruise.io`; undefined for anything else. */
export function scaledKind(text: string): ScaledKind | undefined {
  const known = Object.entries(KNOWN_KINDS).find(([key]) => key.endsWith(`/${text}`))?.[1];
  if (known !== undefined) return { group: known.group, resource: known.resource };
  const [, resource, group] = /^([a-z0-9]+)\.([a-z0-9-]+(?:\.[a-z0-9-]+)*)$/.exec(text) ?? [];
  return resource === undefined || group === undefined ? undefined : { group, resource };
}

/**
 * The hub's manifests. `clusters/proxy` and the other reads are bound by a ClusterRoleBinding: Karmada lets into members
 * only whom one names, and ignores RoleBindings there (B59). Writes are bound alone, in every namespace or in some.
 */
export function hubManifests(options: RbacOptions): readonly Manifest[] {
  const { kinds, metrics, mode, activeNamespaces, subject, relay } = options;
  const follow = () => (relay === undefined ? ["list"] : ["list", "watch"]);
  const read: Rule[] = [
    { apiGroups: [AUTOSCALING], resources: ["federatedhpas", "cronfederatedhpas"], verbs: follow() },
    { apiGroups: ["work.karmada.io"], resources: ["resourcebindings"], verbs: follow() },
    { apiGroups: ["cluster.karmada.io"], resources: ["clusters"], verbs: follow() },
    { apiGroups: ["cluster.karmada.io"], resources: ["clusters/proxy"], verbs: ["get"] },
    ...kindRules(kinds, "", ["get", "list"]),
    ...crdRules(kinds),
    ...(metrics.has("hub") ? metricRules(metrics) : []),
    ...(metrics.has("external")
      ? [{ apiGroups: ["external.metrics.k8s.io"], resources: ["*"], verbs: ["list"] }]
      : []),
    ...shadowRules(options.shadow),
  ];
  const role = clusterRole("mainsheet-read", read);
  const bound = [role, clusterBinding("mainsheet-read", subject)];
  if (mode === "observe") return bound;
  const write: Rule[] = [
    { apiGroups: [AUTOSCALING], resources: ["federatedhpas", "cronfederatedhpas"], verbs: ["get"] },
    { apiGroups: [AUTOSCALING], resources: ["federatedhpas"], verbs: ["patch"] },
    {
      apiGroups: [AUTOSCALING],
      resources: ["federatedhpas/status", "cronfederatedhpas/status"],
      verbs: ["patch"],
    },
    ...kindRules(kinds, "/scale", ["update"]),
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  ];
  const bindings =
    activeNamespaces === undefined
      ? [clusterBinding("mainsheet-write", subject)]
      : activeNamespaces.map((namespace) => namespaceBinding("mainsheet-write", namespace, subject));
  return [...bound, clusterRole("mainsheet-write", write), ...bindings];
}

/** The manifests of each member, for the same subject, which Karmada impersonates there: it is only read. */
export function memberManifests({ kinds, metrics, subject, relay }: RbacOptions): readonly Manifest[] {
  const rules: Rule[] = [
    ...kindRules(kinds, "", ["get", "list"]),
    ...crdRules(kinds),
    { apiGroups: [""], resources: ["pods"], verbs: relay === "pods" ? ["list", "watch"] : ["list"] },
    ...(metrics.has("hub") ? [] : metricRules(metrics)),
  ];
  return [clusterRole("mainsheet-read", rules), clusterBinding("mainsheet-read", subject)];
}

/** Pods' own metrics, and those of adapters. An item of the custom API is a subresource of what it describes: `*` alone covers it. */
function metricRules(metrics: ReadonlySet<MetricRight>): Rule[] {
  return [
    { apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["list"] },
    ...(metrics.has("custom")
      ? [{ apiGroups: ["custom.metrics.k8s.io"], resources: ["*"], verbs: ["get"] }]
      : []),
  ];
}

/** Without names it is every ConfigMap of the hub, and people keep more in them than specs. */
function shadowRules(names: readonly string[] | undefined): Rule[] {
  if (names === undefined) return [];
  const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] };
  return [names.length === 0 ? rule : { ...rule, resourceNames: [...names].sort() }];
}

function kindRules(kinds: readonly ScaledKind[], subresource: string, verbs: readonly string[]): Rule[] {
  const groups = [...new Set(kinds.map(({ group }) => group))].sort();
  return groups.map((group) => ({
    apiGroups: [group],
    resources: kinds
      .filter((kind) => kind.group === group)
      .map(({ resource }) => `${resource}${subresource}`)
      .sort(),
    verbs,
  }));
}

/** Where objects of a custom kind keep their replicas is in its CRD. */
function crdRules(kinds: readonly ScaledKind[]): Rule[] {
  const resourceNames = kinds
    .filter((kind) => !isBuiltIn(kind))
    .map(({ resource, group }) => `${resource}.${group}`);
  if (resourceNames.length === 0) return [];
  return [
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
      verbs: ["get"],
      resourceNames: resourceNames.sort(),
    },
  ];
}

function isBuiltIn({ group, resource }: ScaledKind): boolean {
  return Object.values(KNOWN_KINDS).some((known) => known.group === group && known.resource === resource);
}

function clusterRole(name: string, rules: readonly Rule[]): Manifest {
  return { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name }, rules };
}

function clusterBinding(name: string, subject: Subject): Manifest {
  return { ...bindingOf("ClusterRoleBinding", name, subject), metadata: { name } };
}

function namespaceBinding(name: string, namespace: string, subject: Subject): Manifest {
  return { ...bindingOf("RoleBinding", name, subject), metadata: { name, namespace } };
}

function bindingOf(kind: string, role: string, subject: Subject) {
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name: role },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: RBAC, ...subject }],
  };
}
