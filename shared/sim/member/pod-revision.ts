import type { KubeObject } from "#sim/api/object";
import { isActive, isReady } from "./pod-state.ts";

/** Says which template a pod was made from, where no ReplicaSet does. */
export const REVISION_LABEL = "controller-revision-hash";

/** The pods made from another template, of which an update may end one: none while any pod is not Ready. */
export function outdated(present: readonly KubeObject[], hash: string): readonly KubeObject[] {
  if (!present.every((pod) => isActive(pod) && isReady(pod))) return [];
  return present.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] !== hash);
}
