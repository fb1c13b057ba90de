import type { KubeObject } from "#sim/api/object";

/** `namespace/name`, or `/name` for cluster-scoped objects: how work queues name an object of one resource. */
export function objectKeyText(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

export function keyTextOf(object: KubeObject): string {
  return objectKeyText(object.metadata.namespace, object.metadata.name ?? "");
}

/** The parts of a key text. A namespace or a name never holds a slash. */
export function readKeyText(key: string): { readonly namespace: string | undefined; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: slash === 0 ? undefined : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** `apps/v1|Deployment|shop/web`: names an object of any resource of one server. */
export function refKey(
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): string {
  return `${apiVersion}|${kind}|${objectKeyText(namespace, name)}`;
}

export function refKeyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return refKey(apiVersion, kind, metadata.namespace, metadata.name ?? "");
}

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

export function readRefKey(key: string): ObjectRef {
  const [apiVersion = "", kind = "", of = ""] = key.split("|");
  return { apiVersion, kind, ...readKeyText(of) };
}
