import type { Clock } from "#ports/clock";
import { isPortFault } from "#ports/fault";
import type { KubeList, KubeObject, KubernetesPort, ListQuery, ResourceRef, Server } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Fact } from "#test/storm/facts";
import type { Call, Gate } from "./gate.ts";

export interface GatedKubernetesOptions {
  readonly port: KubernetesPort & MetricsApiPort;
  /** Whose calls they are, asked at each call. */
  readonly by: () => Invocation;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly tell: (fact: Fact) => void;
  /** What a member's metrics API makes of its answer. */
  readonly distort: (member: string, items: readonly KubeObject[]) => readonly KubeObject[];
  /** Our call that is changing an object at this moment. */
  readonly writing: (call: string | undefined) => void;
}

/** The hub of one invocation or environment, behind the gate. */
export function gatedKubernetes(options: GatedKubernetesOptions): KubernetesPort & MetricsApiPort {
  const { port, by, gate, clock, tell, distort, writing } = options;

  /** Reads of a member are told with their success, as the invocation hears of them. */
  async function pass<T>(
    verb: string,
    at: Server,
    rest: { readonly resource?: string; readonly namespace?: string; readonly name?: string },
    effect: () => Promise<T>,
  ): Promise<T> {
    const { resource, namespace, name } = rest;
    const call: Call = {
      name: `${at === "hub" ? "hub" : "member"}.${verb}${resource === undefined ? "" : `:${resource}`}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { object: name }),
    };
    const invocation = by();
    if (at === "hub") return gate.pass(invocation, call, effect);
    const read = `${resource ?? verb} ${namespace ?? ""}${name === undefined ? "" : `/${name}`}`;
    const told = { what: "member-read", by: invocation.id, cluster: at.member, read } as const;
    try {
      const value = await gate.pass(invocation, call, effect);
      tell({ ...told, atMs: clock.nowMs(), ok: true });
      return value;
    } catch (error) {
      if (isPortFault(error)) tell({ ...told, atMs: clock.nowMs(), ok: false });
      throw error;
    }
  }

  /** What it changes is told as this call's. */
  async function named<T>(call: string, effect: () => Promise<T>): Promise<T> {
    writing(call);
    try {
      return await effect();
    } finally {
      writing(undefined);
    }
  }

  return {
    list<T extends KubeObject>(at: Server, resource: ResourceRef, query: ListQuery = {}) {
      return pass("list", at, { resource: nameOf(resource), ...namespaceOf(query) }, async () => {
        const list = await port.list<T>(at, resource, query);
        if (at === "hub" || resource.group !== "metrics.k8s.io") return list;
        return { ...list, items: distort(at.member, list.items) } as KubeList<T>;
      });
    },
    listMetadata: (at, resource, query = {}) =>
      pass("listMetadata", at, { resource: nameOf(resource), ...namespaceOf(query) }, () =>
        port.listMetadata(at, resource, query),
      ),
    get: (at, resource, name) =>
      pass("get", at, { resource: nameOf(resource), ...name }, () => port.get(at, resource, name)),
    getScale: (at, resource, name) =>
      pass("getScale", at, { resource: nameOf(resource), ...name }, () => port.getScale(at, resource, name)),
    updateScale(resource, scale, write) {
      const { namespace, name, uid, resourceVersion, replicas } = scale;
      const invocation = by();
      const call: Call = { name: "hub.updateScale", namespace, object: name };
      const id = `${invocation.id}/${invocation.calls + 1}`;
      const target = `${namespace}/${name}`;
      const sent = {
        what: "put",
        by: invocation.id,
        call: id,
        target,
        uid,
        resourceVersion,
        replicas,
      } as const;
      tell({ ...sent, atMs: clock.nowMs() });
      return gate.pass(invocation, call, () => named(id, () => port.updateScale(resource, scale, write)));
    },
    mergePatch(resource, name, patch, write) {
      const id = `${by().id}/patch`;
      return pass("mergePatch", "hub", { resource: nameOf(resource), ...name }, () =>
        named(id, () => port.mergePatch(resource, name, patch, write)),
      );
    },
    create: (resource, object, write) =>
      pass("create", "hub", { resource: nameOf(resource), name: object.metadata.name ?? "" }, () =>
        port.create(resource, object, write),
      ),
    discover: (at) => pass("discover", at, {}, () => port.discover(at)),
    versionsOf: (at, group) => pass("versionsOf", at, {}, () => port.versionsOf(at, group)),
    metricValues: (at, query) =>
      pass("metricValues", at, { resource: query.metric, namespace: query.namespace }, () =>
        port.metricValues(at, query),
      ),
    watch: (at, resource, query) => port.watch(at, resource, query),
  };
}

function nameOf({ group, resource }: ResourceRef): string {
  return group === "metrics.k8s.io" ? "podmetrics" : resource;
}

function namespaceOf({ namespace }: ListQuery): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
