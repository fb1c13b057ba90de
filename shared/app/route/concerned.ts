import type { BusEvent } from "#wire/bus-event";
import type { EventTarget, ObjectChanged } from "#wire/events";
import { ofAlarm, ofCluster, ofObject, ofTarget } from "#wire/references";

/** Where the FederatedHPAs stand that an event concerns. */
export interface Lookup {
  readonly hub: string;
  /** Partitions of the table, whose items are references. */
  readonly partitions: readonly string[];
  /** A FederatedHPA that the event names, whether the table knows it or not: it may be new. */
  readonly named?: { readonly namespace: string; readonly name: string };
}

/** Where to look, hub by hub; nowhere for what concerns none. An alarm does not say which hub it is about. */
export function lookupsOf(event: BusEvent, hubs: readonly string[]): readonly Lookup[] {
  switch (event.type) {
    case "AlarmChanged":
      return hubs.map((hub) => ({ hub, partitions: [ofAlarm(hub, event.detail.alarmName)] }));
    case "ReconcileRequested": {
      const { hub, namespace = "", name = "", target } = event.detail;
      return [target === undefined ? ofNamed(hub, namespace, name) : ofWorkload(hub, target)];
    }
    case "ObjectChanged":
      return ofChange(event.detail);
    case "unknown":
      return [];
  }
}

function ofChange({ hub, kind, namespace = "", name, change, target }: ObjectChanged): readonly Lookup[] {
  if (target !== undefined) return [ofWorkload(hub, target)];
  if (kind === "Cluster") return [{ hub, partitions: [ofCluster(hub, name)] }];
  if (kind !== "FederatedHPA") return [];
  return change === "deleted" ? [] : [ofNamed(hub, namespace, name)];
}

function ofWorkload(hub: string, { kind, namespace, name }: EventTarget): Lookup {
  return { hub, partitions: [ofTarget(hub, kind, namespace, name)] };
}

function ofNamed(hub: string, namespace: string, name: string): Lookup {
  const named = { namespace, name };
  return { hub, partitions: [ofObject({ hub, ...named })], named };
}
