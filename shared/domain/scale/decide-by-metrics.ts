import { type ForeignPods, findForeignPods } from "#domain/fleet/foreign-pods";
import { isServing } from "#domain/fleet/readiness";
import type { Binding, Snapshot, Target } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import { type ComputedMetrics, computeMetrics } from "#domain/scale/compute-metrics";
import type { DecisionEvent, Trace } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { LostClusters } from "#domain/scale/lost-clusters";
import { type Normalized, normalize } from "#domain/scale/normalize";
import { bindingCaughtUp, judgePlacement, type Placement, withPlacement } from "#domain/scale/placement";
import type { Policy } from "#domain/scale/policy";
import type { Footing } from "#domain/scale/proposal";
import { withPods } from "#domain/scale/survey-trace";
import { toleranceOf } from "#domain/scale/tolerance";
import type { Verdict, Why } from "#domain/scale/verdict";
import type { ConditionChange } from "#domain/status/conditions";
import {
  DESIRED_WITHIN_RANGE,
  GOT_SCALE,
  messageOf,
  readyToScale,
  scalingInactive,
  scalingLimited,
} from "#domain/status/reasons";

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
  const selector = selectorFault(situation);
  if (selector !== undefined) return selector;

  const { snapshot, target, survey, policy, trace: surveyed } = situation;
  const placement = placementOf(situation);
  const history = withPlacement(situation.history, placement);
  const caughtUp = bindingCaughtUp(placement, snapshot.object.status.conditions);
  if (placement.lag?.reason === "NothingPlaced")
    return nothingPlaced(situation, placement, history, caughtUp);

  const footing = footingOf(situation, placement);
  const metrics = computeMetrics(snapshot.object.spec.metrics, snapshot.metrics, {
    survey,
    statusReplicas: survey.visible.reduce((sum, { statusReplicas }) => sum + statusReplicas, 0),
    serving: servingPods(survey),
    footing,
    policy,
    nowMs: snapshot.instantMs,
  });
  const foreign = findForeignPods(survey.visible, snapshot.object.spec.scaleTargetRef);
  const trace: Trace = {
    ...surveyed,
    clusters: withPods(
      surveyed.clusters,
      metrics.computed.find(({ groups }) => groups)?.groups?.clusters ?? [],
    ),
    calibration: footing.calibration,
    metrics: metrics.traces,
    placement: tracePlacement(placement),
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
  const outcome = settle(metrics.winner, situation, placement, history);
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

/** Selectors that cannot be used at all: no cluster has one, one cannot be parsed, or another object's overlaps. */
function selectorFault({ snapshot, target, survey, history, trace }: Case): Verdict | undefined {
  const fault = worstSelectorFault(snapshot, survey);
  if (fault === undefined) return undefined;
  const { reason, message, event } = fault;
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

function worstSelectorFault(
  { object, ambiguousWith }: Snapshot,
  { visible, gaps }: Survey,
): (Why & { readonly event: boolean }) | undefined {
  const invalid = gaps.find(({ fault }) => fault.code === "selector-invalid");
  if (invalid !== undefined) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${invalid.fault.message}`;
    return { reason: "InvalidSelector", message, event: true };
  }
  if (visible.length === 0 && gaps.some(({ fault }) => fault.code === "selector-missing")) {
    const message = "the HPA target's scale is missing a selector";
    return { reason: "InvalidSelector", message, event: false };
  }
  if (ambiguousWith.length > 0) {
    const all = [...ambiguousWith, `${object.namespace}/${object.name}`].sort().join(" ");
    const message = `pods by selector ${visible[0]?.selector ?? ""} are controlled by multiple HPAs: [${all}]`;
    return { reason: "AmbiguousSelector", message, event: true };
  }
  return undefined;
}

const NO_LAG: Placement = { holdsScaleOut: false, visibleReplicas: 0, placed: 0 };

function placementOf({ snapshot, target, binding, survey, history, policy }: Case): Placement {
  if (target.replicas === 0 || binding === undefined) return NO_LAG;
  return judgePlacement(target.replicas, binding, survey, history, policy.caughtUpCheck, snapshot.instantMs);
}

/**
 * What proposals are made against: the template and its calibration; while the members lag, what is placed, because
 * 60 pods at 100 % that stand for a template of 100 would else read as 166 % of it, and run away to max (B53).
 */
function footingOf({ snapshot, target, binding, policy }: Case, placement: Placement): Footing {
  const tolerance = toleranceOf(snapshot.object.spec.behavior, policy.tolerance);
  const { visibleReplicas, placed, holdsScaleOut } = placement;
  if (target.replicas === 0) {
    const copies = binding?.duplicated ? Math.max(1, binding.clusters.length) : 1;
    return { currentReplicas: 0, calibration: copies, tolerance };
  }
  if (holdsScaleOut) {
    return { currentReplicas: Math.ceil(placed), calibration: visibleReplicas / placed, tolerance };
  }
  return { currentReplicas: target.replicas, calibration: visibleReplicas / target.replicas, tolerance };
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

interface Settled {
  readonly normalized: Normalized;
  readonly rescale: { readonly desiredReplicas: number; readonly rescaleReason: string };
  readonly held?: Why;
  readonly limited: ConditionChange;
  readonly limits: NonNullable<Trace["limits"]>;
}

/** Holds, windows and limits on the winning proposal, in this order. */
function settle(
  winner: NonNullable<ComputedMetrics["winner"]>,
  { snapshot, target, lost, policy }: Case,
  placement: Placement,
  history: History,
): Settled {
  const { spec } = snapshot.object;
  const current = target.replicas;
  const proposed = winner.replicas;
  const allowed = underLag(proposed, current, placement);
  const wanted = lost.holdsScaleIn ? Math.max(allowed, current) : allowed;
  const rules = { ...spec, downscaleStabilizationSeconds: policy.downscaleStabilizationSeconds };
  const normalized = normalize(current, wanted, rules, history, snapshot.instantMs);
  const final = placement.holdsScaleOut ? Math.min(normalized.replicas, current) : normalized.replicas;

  const hold = holdOf({ proposed, allowed, wanted, current, placement, lost });
  const { able, limited, stabilized, scaleUpLimit, scaleDownLimit } = normalized;
  const limitReason = hold?.reason ?? limited;
  return {
    normalized,
    rescale: { desiredReplicas: final, rescaleReason: rescaleReason(winner.name, proposed, current, final) },
    ...heldBy(hold, normalized),
    limited: hold ? scalingLimited(hold.reason, hold.message) : limitedCondition(limited),
    limits: {
      proposed,
      ...(wanted === proposed ? {} : { recorded: wanted }),
      stabilized,
      final,
      able,
      ...(limitReason === undefined ? {} : { limited: limitReason }),
      ...(scaleUpLimit === undefined ? {} : { scaleUpLimit }),
      ...(scaleDownLimit === undefined ? {} : { scaleDownLimit }),
    },
  };
}

/** While the members lag: never above the template, and below it only by what the placed pods do not need. */
function underLag(proposed: number, current: number, { holdsScaleOut, placed }: Placement): number {
  if (!holdsScaleOut) return proposed;
  return proposed < placed ? Math.min(proposed, current) : current;
}

function holdOf(step: {
  readonly proposed: number;
  readonly allowed: number;
  readonly wanted: number;
  readonly current: number;
  readonly placement: Placement;
  readonly lost: LostClusters;
}): Why | undefined {
  const { proposed, allowed, wanted, current, placement, lost } = step;
  if (wanted > allowed) {
    const message = `scale-in to ${allowed} is held, because clusters cannot be read: ${lost.message}`;
    return { reason: "ClustersUnreadable", message };
  }
  if (placement.holdsScaleOut && proposed > current) {
    const message = `scale-out to ${proposed} is held until the members follow: ${placement.lag?.message ?? ""}`;
    return { reason: "BindingNotCaughtUp", message };
  }
  return undefined;
}

function limitedCondition(reason: Normalized["limited"]): ConditionChange {
  return reason === undefined ? DESIRED_WITHIN_RANGE : scalingLimited(reason, messageOf(reason));
}

function heldBy(hold: Why | undefined, { able, limited }: Normalized): { readonly held?: Why } {
  if (hold !== undefined) return { held: hold };
  if (limited !== undefined) return { held: { reason: limited, message: messageOf(limited) } };
  if (able !== "ReadyForNewScale") return { held: { reason: able, message: messageOf(able) } };
  return {};
}

/** Karmada's words where the metrics ask for the direction taken; else the windows alone moved the count. */
function rescaleReason(name: string, proposed: number, current: number, final: number): string {
  if (final > current)
    return proposed > current ? `${name} above target` : "recent recommendations above current size";
  return proposed < current ? "All metrics below target" : "recent recommendations below current size";
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
