import type { ResourceRef, Server } from "#ports/kubernetes";
import {
  CLUSTERS,
  CRON_FEDERATED_HPAS,
  FEDERATED_HPAS,
  PODS,
  RESOURCE_BINDINGS,
} from "#wire/kubernetes/resources";
import {
  type ReadWatched,
  watchedAutoscaler,
  watchedBinding,
  watchedCluster,
  watchedPod,
} from "#wire/kubernetes/watched-object";

/** One resource that is watched. */
export interface Source {
  /** Names it in the checkpoint; stable for ever. */
  readonly name: string;
  readonly kind: string;
  readonly at: Server;
  readonly resource: ResourceRef;
  readonly read: ReadWatched;
  /** The member, where it is one's. */
  readonly cluster?: string;
  /** Whether its objects matter only where a FederatedHPA scales the workload that they speak of. */
  readonly onlyTargets: boolean;
}

/** The source that says which workloads are scaled. */
export const AUTOSCALERS = "FederatedHPA";

/** What is watched on every hub. */
export const HUB_SOURCES: readonly Source[] = [
  onHub(AUTOSCALERS, FEDERATED_HPAS, watchedAutoscaler),
  onHub("CronFederatedHPA", CRON_FEDERATED_HPAS, watchedAutoscaler),
  { ...onHub("ResourceBinding", RESOURCE_BINDINGS, watchedBinding), onlyTargets: true },
  onHub("Cluster", CLUSTERS, watchedCluster),
];

/** The readiness of a member's pods: for a relay that runs in or near it. */
export function podSource(member: string): Source {
  return {
    ...{ name: `Pod/${member}`, kind: "Pod", at: { member }, resource: PODS, read: watchedPod },
    cluster: member,
    onlyTargets: true,
  };
}

function onHub(kind: string, resource: ResourceRef, read: ReadWatched): Source {
  return { name: kind, kind, at: "hub", resource, read, onlyTargets: false };
}
