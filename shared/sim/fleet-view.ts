import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { bindingSpecOf } from "#sim/hub/binding";
import { bindingNameOf } from "#sim/hub/karmada";
import { KINDS } from "#sim/kinds";

/** A template on the hub. */
export interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What the fleet looks like at the moment, read straight from its stores. */
export interface FleetView {
  /** The members' names; every list below is in their order. */
  readonly clusters: readonly string[];
  /** The template's `spec.replicas`; null where there is no such object. */
  replicas(target: Workload): number | null;
  /** Replicas that the scheduler has given to each member. */
  wanted(target: Workload): readonly number[];
  /** Pods that are ready in each member. */
  ready(target: Workload): readonly number[];
}

export function openFleetView({ hub, members }: Fleet): FleetView {
  const clusters = [...members.keys()];

  return {
    clusters,
    replicas(target) {
      const replicas = find(hub, target)?.spec?.replicas;
      return typeof replicas === "number" ? replicas : null;
    },
    wanted(target) {
      const { kind, namespace, name } = target;
      const binding = hub.store.get(KINDS.bindings, namespace, bindingNameOf(kind, name));
      const given = new Map(
        (binding === undefined ? [] : (bindingSpecOf(binding).clusters ?? [])).map((cluster) => [
          cluster.name,
          cluster.replicas ?? 0,
        ]),
      );
      return clusters.map((cluster) => given.get(cluster) ?? 0);
    },
    ready: (target) =>
      [...members.values()].map((member) => Number(find(member, target)?.status?.readyReplicas ?? 0)),
  };
}

function find(
  { catalogue, store }: ApiServer,
  { apiVersion, kind, namespace, name }: Workload,
): KubeObject | undefined {
  const type = catalogue.findKind(apiVersion, kind);
  return type && store.get(type, namespace, name);
}
