import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import type { ResourceType } from "#sim/api/resource-type";
import { KINDS } from "#sim/kinds";
import { isServing } from "#sim/member/pod-state";
import { loadOf } from "./load.ts";
import type { ObjectMetric, ObjectReference } from "./load-metrics.ts";
import { workloadOf } from "./serving.ts";
import { demandMilli } from "./shape.ts";

/** `services`, `deployments.apps`; `metrics` for the namespace itself; undefined for a kind that the server does not know. */
export function resourceOf(server: ApiServer, { apiVersion, kind }: ObjectReference): string | undefined {
  if (apiVersion === "v1" && kind === "Namespace") return "metrics";
  const type = server.catalogue.findKind(apiVersion, kind);
  return type && (type.group === "" ? type.resource : `${type.resource}.${type.group}`);
}

/**
 * What a member says of an object, in thousandths; undefined where it does not hold the object. The members that hold
 * it share the amount by how many pods of the Load's target serve in each, evenly while none does.
 */
export function objectMilli(
  member: ApiServer,
  members: ReadonlyMap<string, ApiServer>,
  namespace: string,
  load: KubeObject,
  { object, whole, demand }: ObjectMetric,
  atMs: number,
): number | undefined {
  const holders = [...members.values()].filter((server) => holds(server, namespace, object));
  if (!holders.includes(member)) return undefined;
  const { target, sinceMs } = loadOf(load);
  const total = demandMilli(demand.shape, (atMs - sinceMs) / 1000);
  if (whole) return Math.round(total);
  const serving = holders.map((server) => servingIn(server, namespace, target));
  const sum = serving.reduce((all, pods) => all + pods, 0);
  const part = sum === 0 ? 1 / holders.length : (serving[holders.indexOf(member)] ?? 0) / sum;
  return Math.round(total * part);
}

function holds({ catalogue, store }: ApiServer, namespace: string, object: ObjectReference): boolean {
  const type: ResourceType | undefined = catalogue.findKind(object.apiVersion, object.kind);
  if (type === undefined) return false;
  return type.namespaced
    ? store.get(type, namespace, object.name) !== undefined
    : store.get(type, undefined, namespace) !== undefined;
}

function servingIn(member: ApiServer, namespace: string, target: string): number {
  const pods = member.store.list(KINDS.pods, namespace);
  return pods.filter((pod) => isServing(pod) && workloadOf(pod, member) === target).length;
}
