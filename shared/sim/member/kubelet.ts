import { mixedHash } from "#domain/units/hash";
import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import type { JsonObject, KubeObject } from "#sim/api/object";
import type { Controller } from "#sim/controller";
import { keyTextOf, readKeyText } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import type { Settings } from "#sim/settings";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { createdMs, deletedMs, isReady, phaseOf } from "./pod-state.ts";

/**
 * The nodes of one member: pods start, become Ready and end, each a while after the last step. The instants written
 * into a pod are those at which it was due, however late the step comes.
 */
export function kubelet(member: ApiServer, settings: Settings): Controller {
  const pods = new Writer(member, KINDS.pods);
  const { stopSeconds } = settings.pods;
  const queue = new WorkQueue();

  return {
    name: `${member.name}/kubelet`,
    queue,
    observe(change) {
      if (!isOf(change, KINDS.pods) || change.type === "DELETED" || pods.wrote(change)) return;
      queue.touch(keyTextOf(change.object));
    },
    reconcile(key, nowMs) {
      const { namespace, name } = readKeyText(key);
      const pod = member.store.get(KINDS.pods, namespace, name);
      if (pod === undefined) return undefined;
      const askedMs = deletedMs(pod);
      if (askedMs !== undefined) {
        const endMs = askedMs + stopSeconds * 1000;
        if (nowMs < endMs) return endMs;
        pods.remove(pod, nowMs);
        return undefined;
      }
      if (isReady(pod) || phaseOf(pod) === "Succeeded" || phaseOf(pod) === "Failed") return undefined;
      const { startMs, readyMs } = lifeOf(pod, member.name, settings);
      if (nowMs < startMs) return startMs;
      if (nowMs >= readyMs) {
        pods.updateStatus(pod, runningStatus(pod, startMs, readyMs), nowMs);
        return undefined;
      }
      if (phaseOf(pod) !== "Running") pods.updateStatus(pod, runningStatus(pod, startMs, undefined), nowMs);
      return readyMs;
    },
  };
}

/** When a pod's containers run and when it is Ready. */
function lifeOf(
  pod: KubeObject,
  cluster: string,
  { seed, pods }: Settings,
): { readonly startMs: number; readonly readyMs: number } {
  const { namespace, name } = pod.metadata;
  const jitter =
    pods.jitterSeconds === 0
      ? 0
      : mixedHash(`${seed}/start/${cluster}/${namespace}/${name}`) % (pods.jitterSeconds + 1);
  const startMs = createdMs(pod) + (pods.startSeconds + jitter) * 1000;
  return { startMs, readyMs: startMs + pods.readySeconds * 1000 };
}

function runningStatus(pod: KubeObject, startMs: number, readyMs: number | undefined): JsonObject {
  return {
    phase: "Running",
    startTime: pod.metadata.creationTimestamp,
    podIP: podIp(pod),
    qosClass: "Burstable",
    ...partsOf(pod, startMs, readyMs),
  };
}

/** What is the same for all pods of a template that are at the same point of their lives. */
interface Parts {
  readonly conditions: readonly JsonObject[];
  readonly containerStatuses: readonly JsonObject[];
}

const lastParts = new WeakMap<object, { readonly point: string; readonly parts: Parts }>();

/** Pods come in batches: the parts of the batch before are kept and shared, as objects never change. */
function partsOf(pod: KubeObject, startMs: number, readyMs: number | undefined): Parts {
  const containers = containersOf(pod);
  const point = `${pod.metadata.creationTimestamp} ${startMs} ${readyMs}`;
  const last = lastParts.get(containers);
  if (last?.point === point) return last.parts;
  const created = pod.metadata.creationTimestamp;
  const started = formatInstant(startMs);
  const ready = readyMs === undefined ? "False" : "True";
  const since = readyMs === undefined ? started : formatInstant(readyMs);
  const unready = readyMs === undefined ? { reason: "ContainersNotReady" } : {};
  const parts = {
    conditions: [
      { type: "PodScheduled", status: "True", lastTransitionTime: created },
      { type: "Initialized", status: "True", lastTransitionTime: created },
      { type: "ContainersReady", status: ready, lastTransitionTime: since, ...unready },
      { type: "Ready", status: ready, lastTransitionTime: since, ...unready },
    ],
    containerStatuses: containers.map((container) => ({
      name: container.name,
      image: container.image ?? "",
      imageID: "",
      ready: readyMs !== undefined,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: started } },
    })),
  };
  lastParts.set(containers, { point, parts });
  return parts;
}

function containersOf(pod: KubeObject): readonly { readonly name: string; readonly image?: string }[] {
  return (pod.spec?.containers ?? NONE) as readonly { name: string; image?: string }[];
}

const NONE: readonly { readonly name: string }[] = [];

/** An address inside 10.0.0.0/8; like other pods' now and then, as nobody routes here. */
function podIp(pod: KubeObject): string {
  const bits = mixedHash(pod.metadata.uid ?? "");
  return `10.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}
