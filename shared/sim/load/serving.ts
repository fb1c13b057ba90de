import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import type { Change } from "#sim/api/store";
import type { Controller } from "#sim/controller";
import { keyTextOf, readKeyText, refKey } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { isServing } from "#sim/member/pod-state";
import { controllerOf } from "#sim/owners";
import type { MetricsTimes } from "#sim/settings";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { loadOf, type ServingRun } from "./load.ts";

/**
 * Records in each Load how many pods bear it, over all members, so that a sample can be told later from the objects
 * alone, also after pods that took part in its window are gone.
 */
export function servingRecorder(
  hub: ApiServer,
  times: MetricsTimes,
): Controller & { loadFor(workload: string): KubeObject | undefined } {
  const queue = new WorkQueue();
  const loads = new Writer(hub, KINDS.loads);
  const keptMs = 2 * (times.intervalSeconds + times.windowSeconds) * 1000;
  /** Serving pods per workload. */
  const counts = new Map<string, number>();
  /** The Loads of each workload, in the order of their keys. */
  const loadsOf = new Map<string, readonly string[]>();

  return {
    name: "load",
    queue,
    observe(change, at) {
      if (at === hub) {
        if (isOf(change, KINDS.loads)) observeLoad(change);
      } else if (isOf(change, KINDS.pods)) observePod(change, at);
    },
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const object = hub.store.get(KINDS.loads, namespace, name);
      if (object === undefined) return undefined;
      const { serving, target } = loadOf(object);
      const pods = counts.get(target) ?? 0;
      if (serving.at(-1)?.pods === pods) return undefined;
      const runs = withRun(serving, { sinceMs: Math.floor(nowMs / 1000) * 1000, pods }, nowMs - keptMs);
      const written = runs.map((run) => ({ since: formatInstant(run.sinceMs), pods: run.pods }));
      loads.updateStatus(object, { ...object.status, serving: written }, nowMs);
      return undefined;
    },
    loadFor(workload) {
      const key = loadsOf.get(workload)?.[0];
      if (key === undefined) return undefined;
      const { namespace, name } = readKeyText(key);
      return hub.store.get(KINDS.loads, namespace, name);
    },
  };

  function observeLoad(change: Change): void {
    const { type, object, previous } = change;
    const key = keyTextOf(object);
    const before = previous && loadOf(previous).target;
    const after = type === "DELETED" ? undefined : loadOf(object).target;
    if (before !== undefined && before !== after) {
      loadsOf.set(
        before,
        (loadsOf.get(before) ?? []).filter((other) => other !== key),
      );
    }
    if (after === undefined) return;
    if (before !== after) loadsOf.set(after, [...(loadsOf.get(after) ?? []), key].sort());
    if (!loads.wrote(change)) queue.touch(key);
  }

  function observePod({ type, object, previous }: Change, member: ApiServer): void {
    const before = previous !== undefined && isServing(previous);
    const after = type !== "DELETED" && isServing(object);
    if (before === after) return;
    const workload = workloadOf(object, member);
    if (workload === undefined) return;
    counts.set(workload, (counts.get(workload) ?? 0) + (after ? 1 : -1));
    for (const key of loadsOf.get(workload) ?? []) queue.touch(key);
  }
}

/** The record with one more run; runs that ended before `keepFromMs` are forgotten. */
export function withRun(
  runs: readonly ServingRun[],
  run: ServingRun,
  keepFromMs: number,
): readonly ServingRun[] {
  const others = runs.filter(({ sinceMs }) => sinceMs < run.sinceMs);
  const firstKept = others.findLastIndex(({ sinceMs }) => sinceMs <= keepFromMs);
  return [...others.slice(Math.max(0, firstKept)), run];
}

/**
 * The workload that a pod belongs to in the end, as a `refKey`: a ReplicaSet's pods are its Deployment's. Told from the
 * pod where the ReplicaSet is gone already.
 */
export function workloadOf(pod: KubeObject, member: ApiServer): string | undefined {
  const owner = controllerOf(pod);
  const { namespace, labels = {} } = pod.metadata;
  if (owner === undefined) return undefined;
  if (owner.kind !== "ReplicaSet") return refKey(owner.apiVersion, owner.kind, namespace, owner.name);
  const set = member.store.get(KINDS.replicaSets, namespace, owner.name);
  const deployment = set && ownerKeyOf(set);
  if (deployment !== undefined) return deployment;
  const suffix = `-${labels["pod-template-hash"] ?? ""}`;
  if (!owner.name.endsWith(suffix)) return refKey(owner.apiVersion, owner.kind, namespace, owner.name);
  return refKey(owner.apiVersion, "Deployment", namespace, owner.name.slice(0, -suffix.length));
}

/** Asked for every pod of a set again and again; a set with another owner is another object. */
const ownerKeys = new WeakMap<KubeObject, string | undefined>();

function ownerKeyOf(set: KubeObject): string | undefined {
  if (ownerKeys.has(set)) return ownerKeys.get(set);
  const owner = controllerOf(set);
  const key = owner && refKey(owner.apiVersion, owner.kind, set.metadata.namespace, owner.name);
  ownerKeys.set(set, key);
  return key;
}
