import type { Policy } from "#domain/scale/policy";
import type { SpecFault } from "#domain/spec/federated-hpa";
import { parseDuration } from "#domain/units/duration";

/** `hold` or `assume-equal`: what a bound cluster that cannot be read means for this object's scale-in. */
const LOST_CLUSTER = "mainsheet.io/lost-cluster";
/** How long a hold lasts, such as `30m` or `1h30m`; `0s` holds nothing. */
const LOST_CLUSTER_HOLD = "mainsheet.io/lost-cluster-hold";

/** The annotations that a decision itself reads; what the others say stands in the spec by then. */
export const POLICY_ANNOTATIONS = [LOST_CLUSTER, LOST_CLUSTER_HOLD] as const;

const MEANINGS = ["hold", "assume-equal"] as const;

/**
 * The controller's policy with what the object's annotations say instead (design 4, D-09). A faulty annotation is a
 * fault of the object, not silently the default: who writes `asume-equal` must hear of it before a cluster is lost.
 */
export function objectPolicy(
  annotations: Readonly<Record<string, string>>,
  controller: Policy,
): { readonly policy: Policy; readonly fault?: SpecFault } {
  const lost = annotations[LOST_CLUSTER];
  const hold = annotations[LOST_CLUSTER_HOLD];
  const lostCluster = lost === undefined ? controller.lostCluster : MEANINGS.find((known) => known === lost);
  const holdSeconds = hold === undefined ? controller.lostClusterHoldSeconds : parseDuration(hold);
  if (lostCluster === undefined)
    return refuse(LOST_CLUSTER, lost, "must be hold or assume-equal", controller);
  if (holdSeconds === undefined || holdSeconds < 0) {
    return refuse(LOST_CLUSTER_HOLD, hold, "must be a duration of 0 or more such as 30m", controller);
  }
  return { policy: { ...controller, lostCluster, lostClusterHoldSeconds: holdSeconds } };
}

function refuse(
  annotation: string,
  text: string | undefined,
  detail: string,
  policy: Policy,
): { readonly policy: Policy; readonly fault: SpecFault } {
  const path = `metadata.annotations[${annotation}]`;
  return { policy, fault: { code: "FieldValueInvalid", path, detail: `"${text}" ${detail}` } };
}
