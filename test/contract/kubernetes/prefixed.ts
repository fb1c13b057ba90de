import type { KubeObject, KubernetesPort, ListQuery, ObjectName } from "#ports/kubernetes";

/** What a cluster puts into every namespace by itself. */
const ITS_OWN = new Set(["kube-root-ca.crt"]);

/**
 * The port as if the namespaces that begin with `prefix` were all there are, and were called without it: so a contract
 * can name its namespaces as it likes on a server that others use.
 */
export function prefixed(port: KubernetesPort, prefix: string): KubernetesPort {
  const away = (namespace: string) => `${prefix}${namespace}`;
  const home = (namespace: string) => namespace.slice(prefix.length);
  const there = <T extends { readonly namespace?: string }>(name: T): T =>
    name.namespace === undefined ? name : { ...name, namespace: away(name.namespace) };

  function query<T extends ListQuery>(given: T): T {
    const { fieldSelector } = given;
    const selector = fieldSelector?.replace(
      /(metadata\.namespace=)([^,]+)/,
      (_all, key, name) => key + away(name),
    );
    return there(selector === undefined ? given : { ...given, fieldSelector: selector });
  }
  function isOurs({ metadata }: KubeObject): boolean {
    const { namespace, name = "" } = metadata;
    return namespace === undefined || (namespace.startsWith(prefix) && !ITS_OWN.has(name));
  }
  function here<T extends KubeObject>(object: T): T {
    const { namespace } = object.metadata;
    if (namespace === undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace: home(namespace) } };
  }
  const named = (name: ObjectName): ObjectName => there(name);

  return {
    async list<T extends KubeObject>(...[at, resource, given = {}]: Parameters<KubernetesPort["list"]>) {
      const { items, resourceVersion } = await port.list<T>(at, resource, query(given));
      return { items: items.filter(isOurs).map(here), resourceVersion };
    },
    async listMetadata(at, resource, given = {}) {
      const { items, resourceVersion } = await port.listMetadata(at, resource, query(given));
      return { items: items.filter(isOurs).map(here), resourceVersion };
    },
    get: async <T extends KubeObject>(...[at, resource, name]: Parameters<KubernetesPort["get"]>) =>
      here(await port.get<T>(at, resource, named(name))),
    async getScale(at, resource, name) {
      const scale = await port.getScale(at, resource, named(name));
      return { ...scale, namespace: home(scale.namespace) };
    },
    async updateScale(resource, scale, options) {
      const written = await port.updateScale(resource, there(scale), options);
      return { ...written, namespace: home(written.namespace) };
    },
    mergePatch: async (resource, name, patch, options) =>
      here(await port.mergePatch(resource, named(name), patch, options)),
    async create(resource, object, options) {
      const { involvedObject } = object as { readonly involvedObject?: { readonly namespace: string } };
      const moved = {
        ...object,
        metadata: there(object.metadata),
        ...(involvedObject === undefined ? {} : { involvedObject: there(involvedObject) }),
      };
      return here(await port.create(resource, moved, options));
    },
    discover: (at) => port.discover(at),
    async *watch(at, resource, given) {
      for await (const event of port.watch(at, resource, query(given))) {
        if (event.type === "BOOKMARK") yield event;
        else if (isOurs(event.object)) yield { ...event, object: here(event.object) };
      }
    },
  };
}
