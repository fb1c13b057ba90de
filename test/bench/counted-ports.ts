import type { KubeList, KubeObject, KubernetesPort, ListQuery, ResourceRef, Server } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";

/** Adds to what was counted under a name; 1 unless said. */
export type Count = (what: string, by?: number) => void;

/** Objects per page, as the HTTP adapter asks for them: a longer list is as many requests as it has pages. */
const PAGE_SIZE = 1_000;
/** `/api` and `/apis` of a server that aggregates its discovery. */
const DISCOVERY_REQUESTS = 2;
const BATCH_GET_KEYS = 100;
const SEND_BATCH_ENTRIES = 10;

/**
 * The port, with every request counted that its calls cost the API servers: `list deployments.apps proxied`,
 * `patch federatedhpas.autoscaling.karmada.io/status`. A proxied request counts once, though it passes the hub and the member.
 */
export function countedKubernetes(
  port: KubernetesPort & MetricsApiPort,
  count: Count,
): KubernetesPort & MetricsApiPort {
  const one = (verb: string, at: Server, resource: ResourceRef, subresource?: string): void =>
    count(`${verb} ${nameOf(resource)}${subresource ? `/${subresource}` : ""}${proxied(at)}`);

  async function paged<T extends KubeObject>(
    at: Server,
    resource: ResourceRef,
    answer: Promise<KubeList<T>>,
  ): Promise<KubeList<T>> {
    const list = await answer;
    count(`list ${nameOf(resource)}${proxied(at)}`, Math.max(1, Math.ceil(list.items.length / PAGE_SIZE)));
    return list;
  }

  return {
    list: <T extends KubeObject>(at: Server, resource: ResourceRef, query?: ListQuery) =>
      paged(at, resource, port.list<T>(at, resource, query)),
    listMetadata: (at, resource, query) => paged(at, resource, port.listMetadata(at, resource, query)),
    get(at, resource, name) {
      one("get", at, resource);
      return port.get(at, resource, name);
    },
    getScale(at, resource, name) {
      one("get", at, resource, "scale");
      return port.getScale(at, resource, name);
    },
    updateScale(resource, scale, options) {
      one("update", "hub", resource, "scale");
      return port.updateScale(resource, scale, options);
    },
    mergePatch(resource, name, patch, options) {
      one("patch", "hub", resource, options.subresource);
      return port.mergePatch(resource, name, patch, options);
    },
    create(resource, object, options) {
      one("create", "hub", resource);
      return port.create(resource, object, options);
    },
    discover(at) {
      count(`get discovery${proxied(at)}`, DISCOVERY_REQUESTS);
      return port.discover(at);
    },
    versionsOf(at, group) {
      count(`get group ${group}${proxied(at)}`);
      return port.versionsOf(at, group);
    },
    metricValues(at, query) {
      const { group, version, described, metric } = query;
      one("get", at, { group, version, resource: described?.resource ?? metric }, described && metric);
      return port.metricValues(at, query);
    },
    watch(at, resource, query) {
      one("watch", at, resource);
      return port.watch(at, resource, query);
    },
  };
}

function nameOf({ group, resource }: ResourceRef): string {
  return group === "" ? resource : `${resource}.${group}`;
}

function proxied(at: Server): string {
  return at === "hub" ? "" : " proxied";
}

/** The table, with its requests counted: `table read`, `table write`, and `table item read` for what reads ask for. */
export function countedTable(table: TablePort, count: Count): TablePort {
  return {
    get(key, options) {
      count("table read");
      count("table item read");
      return table.get(key, options);
    },
    getMany(keys, options) {
      count("table read", Math.ceil(keys.length / BATCH_GET_KEYS));
      count("table item read", keys.length);
      return table.getMany(keys, options);
    },
    put(item, condition) {
      count("table write");
      return table.put(item, condition);
    },
    delete(key, condition) {
      count("table write");
      return table.delete(key, condition);
    },
    query(query, options) {
      count("table read");
      return table.query(query, options);
    },
  };
}

/** The queue, with its messages counted (`queue message`) and the requests that carry them (`queue send`). */
export function countedQueue(queue: QueuePort, count: Count): QueuePort {
  return {
    send(name, messages) {
      count("queue message", messages.length);
      count("queue send", Math.ceil(messages.length / SEND_BATCH_ENTRIES));
      return queue.send(name, messages);
    },
  };
}
