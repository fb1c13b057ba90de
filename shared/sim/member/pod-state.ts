import { parseInstant } from "#domain/units/instant";
import type { KubeObject } from "#sim/api/object";

interface PodStatus {
  readonly phase?: string;
  readonly startTime?: string;
  readonly conditions?: readonly PodCondition[];
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

function statusOf(pod: KubeObject): PodStatus {
  return (pod.status ?? {}) as PodStatus;
}

/** `Pending` where the pod has no phase yet. */
export function phaseOf(pod: KubeObject): string {
  return statusOf(pod).phase ?? "Pending";
}

/** Counts as a replica: neither finished nor on its way out. */
export function isActive(pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  return pod.metadata.deletionTimestamp === undefined && phase !== "Succeeded" && phase !== "Failed";
}

export function isReady(pod: KubeObject): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Takes traffic: Ready, and no deletion has begun. */
export function isServing(pod: KubeObject): boolean {
  return isActive(pod) && isReady(pod);
}

/** Since when the pod is Ready; undefined when it is not. */
export function readySinceMs(pod: KubeObject): number | undefined {
  const ready = readyCondition(pod);
  return ready?.status === "True" ? parseInstant(ready.lastTransitionTime ?? "") : undefined;
}

/** When its containers began to run (the Ready condition's first transition, to False); undefined before. */
export function runningSinceMs(pod: KubeObject): number | undefined {
  const running = (pod.status as { containerStatuses?: readonly ContainerStatus[] } | undefined)
    ?.containerStatuses;
  return parseInstant(running?.[0]?.state?.running?.startedAt ?? "");
}

export interface ContainerStatus {
  readonly state?: { readonly running?: { readonly startedAt?: string } };
}

export function createdMs(object: KubeObject): number {
  return parseInstant(object.metadata.creationTimestamp ?? "") ?? 0;
}

/** When the deletion was asked for: the deletionTimestamp lies a grace period later. Undefined while nobody has. */
export function deletedMs(object: KubeObject): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  const endMs = parseInstant(deletionTimestamp ?? "");
  return endMs === undefined ? undefined : endMs - deletionGracePeriodSeconds * 1000;
}

function readyCondition(pod: KubeObject): PodCondition | undefined {
  return statusOf(pod).conditions?.find((condition) => condition.type === "Ready");
}
