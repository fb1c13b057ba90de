import type { ReadFault, ReadFaultCode } from "#domain/fleet/snapshot";
import type { Trace } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { Verdict } from "#domain/scale/verdict";
import { unableToScale } from "#domain/status/reasons";

/** What Karmada says when a read before the metrics fails (semantics 4.1, points 1 to 6). */
interface FailurePoint {
  readonly event: string;
  readonly condition: string;
  /** What the condition's message begins with. */
  readonly message: string;
  /** What the reconcile's error begins with. */
  readonly error: string;
}

const NO_SCALE = "the HPA controller was unable to get the target's current scale: ";
const SCALE = { event: "FailedGetScale", condition: "FailedGetScale", message: NO_SCALE };
const TARGET: FailurePoint = {
  event: "FailedGetScaleTargetRef",
  condition: "FailedGetScaleTargetRef",
  message: "the HPA controller was unable to get the target reference object: ",
  error: "failed to get scale target reference: ",
};
/** The event has an s that the condition lacks; both are verbatim. */
const BINDING: FailurePoint = {
  event: "FailedGetBindings",
  condition: "FailedGetBinding",
  message: "the HPA controller was unable to get the binding by scaleTargetRef: ",
  error: "",
};
const CLUSTERS: FailurePoint = {
  event: "FailedGetTargetClusters",
  condition: "FailedGetTargetClusters",
  message: "the HPA controller was unable to get the target clusters from binding: ",
  error: "",
};
const MEMBERS: FailurePoint = { ...SCALE, error: "failed to query scale subresource: " };

const POINTS: Readonly<Partial<Record<ReadFaultCode, FailurePoint>>> = {
  "target-version-invalid": { ...SCALE, error: "invalid API version in scale target reference: " },
  "target-kind-unknown": { ...SCALE, error: "unable to determine resource for scale target reference: " },
  "target-missing": TARGET,
  "target-unreadable": TARGET,
  "binding-label-missing": BINDING,
  "binding-missing": BINDING,
  "binding-unreadable": BINDING,
  "clusters-none": CLUSTERS,
  "clusters-unreadable": CLUSTERS,
};

/** The verdict when `fault` leaves nothing to decide from: the status' counts and metrics stand, nothing is written. */
export function readFailure(
  fault: ReadFault,
  history: History,
  trace: Trace,
  currentReplicas?: number,
): Verdict {
  const point = POINTS[fault.code] ?? MEMBERS;
  const message = `${point.message}${fault.message}`;
  return {
    ...(currentReplicas === undefined ? {} : { currentReplicas }),
    held: { reason: point.condition, message },
    failure: { reason: point.condition, message: `${point.error}${fault.message}` },
    conditions: [unableToScale(point.condition, message)],
    events: [{ type: "Warning", reason: point.event, message: fault.message }],
    countsStand: true,
    history,
    recommended: false,
    trace,
  };
}
