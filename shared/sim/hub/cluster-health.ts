import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { sameJson } from "#sim/api/equal";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { SERVER_VERSION } from "#sim/api/view/version";
import { type Condition, withCondition } from "#sim/condition";
import type { Controller } from "#sim/controller";
import { keyTextOf, objectKeyText, readKeyText } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import type { ClusterTimes } from "#sim/settings";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { FAULT, instantIn, isCutOff } from "./faults.ts";
import { MANAGER } from "./karmada.ts";

/** What a member has and uses, as its Cluster reports it; undefined where the scenario gives it no capacity. */
export type ReportOf = (cluster: string) => JsonObject | undefined;

/**
 * Karmada's cluster-status controller: Ready turns False when a member has been cut off for a while, True when it has
 * answered again for a while, and the resources in use are reported every few seconds while they change.
 */
export function clusterHealth(
  hub: ApiServer,
  members: ReadonlyMap<string, ApiServer>,
  reportOf: ReportOf,
  times: ClusterTimes,
): Controller {
  const queue = new WorkQueue();
  const clusters = new Writer(hub, KINDS.clusters, MANAGER);

  return {
    name: "cluster-health",
    queue,
    observe(change, at) {
      if (at === hub) {
        if (isOf(change, KINDS.clusters)) queue.touch(keyTextOf(change.object));
      } else if (isOf(change, KINDS.pods) && change.type !== "MODIFIED") {
        queue.touch(objectKeyText(undefined, at.name));
      }
    },
    reconcile(key, nowMs) {
      const { name } = readKeyText(key);
      const stored = hub.store.get(KINDS.clusters, undefined, name);
      if (stored === undefined) return undefined;
      const cluster = marked(stored, nowMs);
      const answers = members.has(name) && !isCutOff(cluster);
      const { ready, dueMs } = readiness(cluster, answers, times, nowMs);
      const before = cluster.status ?? {};
      const conditions = withCondition((before.conditions ?? []) as readonly Condition[], {
        ...(ready ? READY : NOT_READY),
        lastTransitionTime: formatInstant(nowMs),
      });
      const report = answers ? reportOf(name) : undefined;
      const reportsNow = nowMs % (times.reportSeconds * 1000) === 0 || before.resourceSummary === undefined;
      const isStale = report !== undefined && !sameJson(report, before.resourceSummary);
      const status = {
        ...before,
        kubernetesVersion: SERVER_VERSION.gitVersion,
        conditions,
        ...(isStale && reportsNow ? { resourceSummary: report } : {}),
      };
      if (!sameJson(status, cluster.status)) clusters.updateStatus(cluster, status, nowMs);
      return earliest(dueMs, isStale && !reportsNow ? nextReportMs(nowMs) : undefined);
    },
  };

  function nextReportMs(nowMs: number): number {
    const everyMs = times.reportSeconds * 1000;
    return (Math.floor(nowMs / everyMs) + 1) * everyMs;
  }

  /** Writes the instant beside a fault that came, or that went, so that the waiting time can be told from the object. */
  function marked(cluster: KubeObject, nowMs: number): KubeObject {
    const annotations = { ...cluster.metadata.annotations };
    const at = formatInstant(nowMs);
    if (isCutOff(cluster)) {
      if (instantIn(cluster, FAULT.cutOff) === undefined) annotations[FAULT.cutOff] = at;
      delete annotations[FAULT.recovering];
    } else if (readyStatus(cluster) === "False" && members.has(cluster.metadata.name ?? "")) {
      annotations[FAULT.recovering] ??= at;
    } else {
      delete annotations[FAULT.recovering];
    }
    if (sameJson(annotations, cluster.metadata.annotations ?? {})) return cluster;
    return clusters.update({ ...cluster, metadata: { ...cluster.metadata, annotations } }, nowMs);
  }
}

const READY = {
  type: "Ready",
  status: "True",
  reason: "ClusterReady",
  message: "cluster is healthy and ready to accept workloads",
};
const NOT_READY = {
  type: "Ready",
  status: "False",
  reason: "ClusterNotReachable",
  message: "cluster is not reachable",
};

/** Whether the cluster counts as Ready now, and when that must be asked again. */
function readiness(
  cluster: KubeObject,
  answers: boolean,
  { failureSeconds, successSeconds }: ClusterTimes,
  nowMs: number,
): { readonly ready: boolean; readonly dueMs: number | undefined } {
  const before = readyStatus(cluster);
  if (before === undefined) return { ready: answers, dueMs: undefined };
  const wasReady = before === "True";
  if (answers === wasReady) return { ready: wasReady, dueMs: undefined };
  const sinceMs = instantIn(cluster, answers ? FAULT.recovering : FAULT.cutOff) ?? nowMs;
  const turnsMs = sinceMs + (answers ? successSeconds : failureSeconds) * 1000;
  return nowMs >= turnsMs ? { ready: answers, dueMs: undefined } : { ready: wasReady, dueMs: turnsMs };
}

function readyStatus(cluster: KubeObject): string | undefined {
  const conditions = (cluster.status?.conditions ?? []) as readonly Condition[];
  return conditions.find(({ type }) => type === "Ready")?.status;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
