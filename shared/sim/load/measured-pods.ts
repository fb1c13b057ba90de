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
  return member.store.list(KINDS.pods, namespace).filter((pod) => {
    const runningMs = runningSinceMs(pod);
    return phaseOf(pod) === "Running" && runningMs !== undefined && runningMs <= atMs - windowSeconds * 1000;
  });
}

/** When a pod takes traffic; both Infinity where it never does. */
export function servingSpan(pod: KubeObject): { readonly fromMs: number; readonly untilMs: number } {
  return {
    fromMs: readySinceMs(pod) ?? Number.POSITIVE_INFINITY,
    untilMs: deletedMs(pod) ?? Number.POSITIVE_INFINITY,
  };
}
