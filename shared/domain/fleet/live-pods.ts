import type { Pod } from "#domain/fleet/pod";
import { matches, type Selector } from "#domain/units/selector";

/**
 * The pods that a decision looks at, in their order: those that `selector` matches, without terminal ones. A Succeeded
 * or Failed pod carries no load, needs no request and is no pod that lacks a sample (D-12, B17, B25).
 */
export function livePods(pods: readonly Pod[], selector: Selector): readonly Pod[] {
  return pods.filter((pod) => !isTerminal(pod) && matches(selector, pod.labels));
}

function isTerminal({ phase }: Pod): boolean {
  return phase === "Succeeded" || phase === "Failed";
}
