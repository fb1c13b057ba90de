import type { References } from "#domain/work/references";
import type { Item, Key } from "#ports/table";
import { type ObjectId, referencePartition } from "./keys.ts";

/** A FederatedHPA that something concerns, with its floor where that is not the default. */
export interface Concerned {
  readonly namespace: string;
  readonly name: string;
  readonly minIntervalMs?: number;
}

const CLUSTER = "Cluster";
/** No Kubernetes kind begins with a small letter. */
const ALARM = "alarm";
const OBJECT = "FederatedHPA";

/** Where the FederatedHPAs are found that scale a workload of this kind. */
export const ofTarget = (hub: string, kind: string, namespace: string, name: string): string =>
  referencePartition(hub, kind, namespace, name);
export const ofCluster = (hub: string, cluster: string): string =>
  referencePartition(hub, CLUSTER, "", cluster);
export const ofAlarm = (hub: string, alarm: string): string => referencePartition(hub, ALARM, "", alarm);
/** Where a FederatedHPA's own floor is found, if it has one. */
export const ofObject = ({ hub, namespace, name }: ObjectId): string =>
  referencePartition(hub, OBJECT, namespace, name);

/** One item for each thing that the object refers to. */
export function encodeReferences(id: ObjectId, references: References): readonly Item[] {
  const { minIntervalMs } = references;
  const floor = minIntervalMs === undefined ? {} : { minIntervalMs };
  return referenceKeys(id, references).map((key) => ({ ...key, ...floor }));
}

export function referenceKeys(id: ObjectId, references: References): readonly Key[] {
  const { hub, namespace, name } = id;
  const { target, clusters, alarms, minIntervalMs } = references;
  const [kind = "", targetName = ""] = target.split("/");
  const partitions = [
    ofTarget(hub, kind, namespace, targetName),
    ...clusters.map((cluster) => ofCluster(hub, cluster)),
    ...alarms.map((alarm) => ofAlarm(hub, alarm)),
    ...(minIntervalMs === undefined ? [] : [ofObject(id)]),
  ];
  return partitions.map((pk) => ({ pk, sk: `${namespace}/${name}` }));
}

export function decodeConcerned({ sk, minIntervalMs }: Item): Concerned {
  const [namespace = "", name = ""] = sk.split("/");
  return { namespace, name, ...(typeof minIntervalMs === "number" ? { minIntervalMs } : {}) };
}
