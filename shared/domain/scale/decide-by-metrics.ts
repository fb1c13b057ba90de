import { type ForeignPods, findForeignPods } from "#domain/fleet/foreign-pods";
import { isServing } from "#domain/fleet/readiness";
import type { Binding, Snapshot, Target } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import { computeMetrics } from "#domain/scale/compute-metrics";
import type { DecisionEvent, RulesTrace, Trace } from "#domain/scale/decision";
import { footingOf } from "#domain/scale/footing";
import type { History } from "#domain/scale/history";
import type { LostClusters } from "#domain/scale/lost-clusters";
import { windowsOf } from "#domain/scale/normalize";
import { bindingCaughtUp, judgePlacement, type Placement, withPlacement } from "#domain/scale/placement";
import type { Policy } from "#domain/scale/policy";
import { type SelectorFault, selectorFault } from "#domain/scale/selector-fault";
import { settle } from "#domain/scale/settle";
import { withPods } from "#domain/scale/survey-trace";
import { type Tolerance, toleranceOf } from "#domain/scale/tolerance";
import type { Verdict } from "#domain/scale/verdict";
import type { ConditionChange } from "#domain/status/conditions";
import { GOT_SCALE, readyToScale, scalingInactive } from "#domain/status/reasons";

/** A decision past its gates. */
export interface Case {
  readonly snapshot: Snapshot;
  readonly target: Target;
  /** Absent only at template 0, where a binding may have no clusters. */
  readonly binding: Binding | undefined;
  readonly survey: Survey;
  readonly lost: LostClusters;
  readonly trace: Trace;
  /** With its first recommendation, and the lost clusters of this instant. */
  readonly history: History;
  readonly policy: Policy;
}

/** The verdict from selector, placement, metrics, windows and limits. */
export function decideByMetrics(situation: Case): Verdict {
  const { snapshot, target, binding, survey, lost, policy, trace: surveyed } = situation;
  const selector = selectorFault(snapshot, survey);
  if (selector !== undefined) return refuseSelector(situation, selector);

  const placement = placementOf(situation);
  const history = withPlacement(situation.history, placement);
  const caughtUp = bindingCaughtUp(placement, snapshot.object.status.conditions);
  if (placement.lag?.reason === "NothingPlaced")
    return nothingPlaced(situation, placement, history, caughtUp);

  const { spec } = snapshot.object;
  const tolerance = toleranceOf(spec.behavior, policy.tolerance);
  const footing = footingOf(target.replicas, binding, placement, tolerance);
  const metrics = computeMetrics(spec.metrics, snapshot.metrics, {
    survey,
    statusReplicas: survey.visible.reduce((sum, { statusReplicas }) => sum + statusReplicas, 0),
    serving: servingPods(survey),
    footing,
    policy,
    nowMs: snapshot.instantMs,
  });
  const foreign = findForeignPods(survey.visible, spec.scaleTargetRef);
  const trace: Trace = {
    ...surveyed,
    clusters: withPods(
      surveyed.clusters,
      metrics.computed.find(({ groups }) => groups)?.groups?.clusters ?? [],
    ),
    calibration: footing.calibration,
    metrics: metrics.traces,
    placement: tracePlacement(placement),
    rules: traceRules(situation, tolerance),
    ...(foreign === undefined ? {} : { foreignPods: foreign }),
  };
  const events = [...foreignEvents(foreign), ...metrics.events];
  const shared = { currentReplicas: target.replicas, events, currentMetrics: metrics.statuses };
  const failure = metrics.failure === undefined ? {} : { failure: metrics.failure };

  if (metrics.winner === undefined) {
    const held = metrics.failure ?? metrics.condition;
    const conditions = [GOT_SCALE, metrics.condition, ...caughtUp];
    return { ...shared, ...failure, held, conditions, history, recommended: false, trace };
  }
  const rules = { ...spec, downscaleStabilizationSeconds: policy.downscaleStabilizationSeconds };
  const holds = { placement, lost };
  const outcome = settle(metrics.winner, target.replicas, holds, rules, history, snapshot.instantMs);
  return {
    ...shared,
    ...failure,
    ...outcome.rescale,
    ...(outcome.held === undefined ? {} : { held: outcome.held }),
    conditions: [readyToScale(outcome.normalized.able), metrics.condition, outcome.limited, ...caughtUp],
    history: outcome.normalized.history,
    recommended: true,
    trace: { ...trace, limits: outcome.limits },
  };
}

function refuseSelector(
  { target, history, trace }: Case,
  { reason, message, event }: SelectorFault,
): Verdict {
  const events: DecisionEvent[] = event ? [{ type: "Warning", reason, message }] : [];
  return {
    currentReplicas: target.replicas,
    held: { reason, message },
    failure: { reason, message },
    conditions: [GOT_SCALE, scalingInactive(reason, message)],
    events: [...events, { type: "Warning", reason: "FailedComputeMetricsReplicas", message }],
    history,
    recommended: false,
    trace,
  };
}

function traceRules({ snapshot, policy }: Case, tolerance: Tolerance): RulesTrace {
  const { minReplicas, maxReplicas, behavior } = snapshot.object.spec;
  const { upSeconds, downSeconds } = windowsOf(behavior, policy.downscaleStabilizationSeconds);
  const windows = { scaleUpWindowSeconds: upSeconds, scaleDownWindowSeconds: downSeconds };
  return { minReplicas, maxReplicas, tolerance, ...windows };
}

const NO_LAG: Placement = { holdsScaleOut: false, visibleReplicas: 0, placed: 0 };

function placementOf({ snapshot, target, binding, survey, history, policy }: Case): Placement {
  if (target.replicas === 0 || binding === undefined) return NO_LAG;
  return judgePlacement(target.replicas, binding, survey, history, policy.caughtUpCheck, snapshot.instantMs);
}

function servingPods({ visible }: Survey): { readonly total: number; readonly serving: number } {
  let total = 0;
  let serving = 0;
  for (const { pods } of visible) {
    total += pods.length;
    for (const pod of pods) if (isServing(pod)) serving += 1;
  }
  return { total, serving };
}

/** No pod runs anywhere, so there is nothing to measure: wait for the scheduler, without an error (D-06). */
function nothingPlaced(
  { target, trace }: Case,
  placement: Placement,
  history: History,
  caughtUp: readonly ConditionChange[],
): Verdict {
  return {
    currentReplicas: target.replicas,
    desiredReplicas: target.replicas,
    held: { reason: "BindingNotCaughtUp", message: placement.lag?.message ?? "" },
    conditions: [GOT_SCALE, ...caughtUp],
    events: [],
    history,
    recommended: false,
    trace: { ...trace, placement: tracePlacement(placement) },
  };
}

function tracePlacement({ lag, placed }: Placement): NonNullable<Trace["placement"]> {
  return { caughtUp: lag === undefined, ...(lag === undefined ? {} : { reason: lag.reason }), placed };
}

function foreignEvents(foreign: ForeignPods | undefined): DecisionEvent[] {
  if (foreign === undefined) return [];
  const { count, examples } = foreign;
  const message = `the selector matches ${count} pods that the target does not own, such as ${examples.join(", ")}; give the workloads different labels`;
  return [{ type: "Warning", reason: "ForeignPods", message }];
}
