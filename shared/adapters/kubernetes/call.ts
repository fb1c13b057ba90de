import { PortFault } from "#ports/fault";
import type { ListQuery, ObjectName, ResourceRef, Server } from "#ports/kubernetes";

/** One request as the API knows it, with the words that faults about it use. */
export interface Call {
  readonly at: Server;
  /** What is tried: `get deployments.apps/scale shop/web in cluster eu-1`. */
  readonly what: string;
  /** The right it needs, in kubectl's grammar: `get on deployments.apps/scale`. */
  readonly right: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** Path and query, behind the server's own address. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
}

export interface CallOptions {
  readonly at: Server;
  /** The RBAC verb. */
  readonly verb: "get" | "list" | "watch" | "create" | "update" | "patch";
  readonly resource: ResourceRef;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Query;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: object;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const METHODS = {
  get: "GET",
  list: "GET",
  watch: "GET",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
} as const;

/** The call; throws `invalid` for a name that would read another path than the one meant. */
export function callOf(options: CallOptions): Call {
  const { at, verb, resource, namespace, name, subresource, query, accept, contentType, body } = options;
  const kind = `${label(resource)}${subresource === undefined ? "" : `/${subresource}`}`;
  const object = [namespace, name].filter((part) => part !== undefined).join("/");
  const what = `${verb} ${kind}${object === "" ? "" : ` ${object}`} ${place(at)}`;
  const segments = [
    ...(resource.group === "" ? ["api"] : ["apis", resource.group]),
    resource.version,
    ...(namespace === undefined ? [] : ["namespaces", namespace]),
    resource.resource,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return {
    at,
    what,
    right: `${verb} on ${kind}`,
    method: METHODS[verb],
    path: pathOf(at, segments, what) + queryText(query ?? {}),
    ...(accept === undefined ? {} : { accept }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** A GET of a path that belongs to no resource: `/apis`. */
export function discoveryCall(at: Server, segments: readonly string[], accept: string): Call {
  const what = `discover /${segments.join("/")} ${place(at)}`;
  return {
    at,
    what,
    right: `get on the non-resource URL /${segments.join("/")}`,
    method: "GET",
    path: pathOf(at, segments, what),
    accept,
  };
}

export function nameParts(name: ObjectName): { namespace?: string; name: string } {
  return name.namespace === undefined ? { name: name.name } : { namespace: name.namespace, name: name.name };
}

export function selectors(query: ListQuery): Query {
  return { labelSelector: query.labelSelector, fieldSelector: query.fieldSelector };
}

export function place(at: Server): string {
  return at === "hub" ? "in the hub" : `in cluster ${at.member}`;
}

function label(resource: ResourceRef): string {
  return resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
}

/** Members are reached through the hub's cluster proxy (serverless 5.3). */
function pathOf(at: Server, segments: readonly string[], what: string): string {
  const proxy =
    at === "hub" ? [] : ["apis", "cluster.karmada.io", "v1alpha1", "clusters", at.member, "proxy"];
  const all = [...proxy, ...segments];
  // encodeURIComponent makes every other name harmless, but these would list instead of get, or climb.
  const bad = all.find((segment) => segment === "" || segment === "." || segment === "..");
  if (bad !== undefined) {
    throw new PortFault("invalid", `${what}: "${bad}" cannot be a name; give the object's own name`);
  }
  return `/${all.map(encodeURIComponent).join("/")}`;
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(key, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
