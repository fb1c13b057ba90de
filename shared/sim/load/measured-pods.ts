import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import { KINDS } from "#sim/kinds";
import { deletedMs, phaseOf, readySinceMs, runningSinceMs } from "#sim/member/pod-state";

/** The pods of a member that a sample at `atMs` measures: those that still are and ran through its whole window. */
export function measuredPods(
  member: ApiServer,
  namespace: string | undefined,
  atMs: number,
  windowSeconds: number,
): readonly KubeObject[] {
  const startMs = atMs - windowSeconds * 1000;
  return member.store.list(KINDS.pods, namespace).filter((pod) => lifeOf(pod).runningMs <= startMs);
}

/** When a pod takes traffic; both Infinity where it never does. */
export function servingSpan(pod: KubeObject): { readonly fromMs: number; readonly untilMs: number } {
  return lifeOf(pod);
}

interface Life {
  /** Since when it runs; Infinity while it does not. */
  readonly runningMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Read once of each pod, for the samples of all its intervals: a pod that goes on is another object. */
const lives = new WeakMap<KubeObject, Life>();

function lifeOf(pod: KubeObject): Life {
  const known = lives.get(pod);
  if (known !== undefined) return known;
  const runningMs = phaseOf(pod) === "Running" ? runningSinceMs(pod) : undefined;
  const life = {
    runningMs: runningMs ?? Number.POSITIVE_INFINITY,
    fromMs: readySinceMs(pod) ?? Number.POSITIVE_INFINITY,
    untilMs: deletedMs(pod) ?? Number.POSITIVE_INFINITY,
  };
  lives.set(pod, life);
  return life;
}
