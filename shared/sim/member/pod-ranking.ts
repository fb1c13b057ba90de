import type { KubeObject } from "#sim/api/object";
import { createdMs, isReady, phaseOf, readySinceMs } from "./pod-state.ts";

/**
 * The `count` pods that a scale-in ends first, as a ReplicaSet chooses: Pending before Running, not Ready before
 * Ready, the latest Ready, the latest made, then the last name.
 */
export function firstToGo(pods: readonly KubeObject[], count: number): readonly KubeObject[] {
  if (count <= 0) return [];
  return [...pods].sort(goesBefore).slice(0, count);
}

function goesBefore(a: KubeObject, b: KubeObject): number {
  return (
    Number(phaseOf(a) === "Running") - Number(phaseOf(b) === "Running") ||
    Number(isReady(a)) - Number(isReady(b)) ||
    (readySinceMs(b) ?? 0) - (readySinceMs(a) ?? 0) ||
    createdMs(b) - createdMs(a) ||
    ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? 1 : -1)
  );
}
