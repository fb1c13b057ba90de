import { addMilli } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";
import { milliText } from "#domain/units/quantity-text";
import type { ApiServer } from "#sim/api/api-server";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";
import type { Change } from "#sim/api/store";
import { isOf, KINDS } from "#sim/kinds";
import { isActive } from "#sim/member/pod-state";
import { requestsOfPodSpec } from "#sim/workload";

/** Annotation of a Cluster: what its nodes can take, as a JSON object of quantities. */
export const CAPACITY = "sim.mainsheet.io/capacity";

/**
 * What each member has and what its pods ask for, summed up as they come and go. A member without a capacity has
 * room for all and reports nothing.
 */
export function resourceReports(hub: ApiServer): {
  observe(change: Change, at: ApiServer): void;
  of(cluster: string): JsonObject | undefined;
} {
  const asked = new Map<string, Map<string, MilliValue>>();

  return {
    observe(change, at) {
      if (at === hub || !isOf(change, KINDS.pods)) return;
      const { type, object, previous } = change;
      const before = previous !== undefined && isActive(previous);
      const after = type !== "DELETED" && isActive(object);
      if (before !== after) add(at.name, object, after ? 1 : -1);
    },
    of(cluster) {
      const capacity = capacityOf(hub.store.get(KINDS.clusters, undefined, cluster));
      if (capacity === undefined) return undefined;
      const sums = asked.get(cluster) ?? new Map<string, MilliValue>();
      const allocated = Object.keys(capacity).map((name) => [name, milliText(sums.get(name) ?? 0)]);
      return { allocatable: capacity, allocated: Object.fromEntries(allocated) };
    },
  };

  function add(cluster: string, pod: KubeObject, sign: 1 | -1): void {
    const sums = asked.get(cluster) ?? new Map<string, MilliValue>();
    asked.set(cluster, sums);
    for (const [name, amount] of [...Object.entries(requestsOfPodSpec(pod.spec)), ["pods", 1000] as const]) {
      sums.set(name, addMilli(sums.get(name) ?? 0, sign === 1 ? amount : -amount));
    }
  }
}

function capacityOf(cluster: KubeObject | undefined): Readonly<Record<string, string>> | undefined {
  const text = cluster?.metadata.annotations?.[CAPACITY];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? (value as Readonly<Record<string, string>>) : undefined;
  } catch {
    return undefined;
  }
}
