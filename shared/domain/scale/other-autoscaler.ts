import type { Snapshot } from "#domain/fleet/snapshot";

/** Two periods: a controller that works writes a status at least so often while anything moves. */
const PERIODS = 2;

/**
 * Who else autoscales this object, as one sentence: the manager that wrote the FederatedHPA's status, or scaled its
 * target as an autoscaler does, within the last two periods. Undefined when nobody did. Two of them would undo each
 * other's scales, so `active` stops (design 4, "Modes").
 */
export function otherAutoscaler(snapshot: Snapshot, periodSeconds: number): string | undefined {
  const sinceMs = snapshot.instantMs - PERIODS * periodSeconds * 1000;
  const found = snapshot.autoscalerWrites?.find(({ atMs }) => atMs > sinceMs);
  if (found === undefined) return undefined;
  const advice =
    found.manager === "karmada-controller-manager"
      ? "start it with --controllers=-federatedHorizontalPodAutoscaler,*"
      : "let only one of them be active";
  return `${found.manager} wrote the ${found.wrote} as well; Mainsheet writes nothing here until it has stopped: ${advice}`;
}
