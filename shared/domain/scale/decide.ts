import type { Binding, Snapshot, Target } from "#domain/fleet/snapshot";
import { surveyMembers } from "#domain/fleet/survey";
import { decideByMetrics } from "#domain/scale/decide-by-metrics";
import type { Decision, DecisionEvent, Trace } from "#domain/scale/decision";
import { scaleConflict, withForeignWrites } from "#domain/scale/foreign-writes";
import { gateOf, specFaults } from "#domain/scale/gates";
import type { History } from "#domain/scale/history";
import {
  clustersReadable,
  judgeLostClusters,
  withLostClusters,
  withReadClusters,
} from "#domain/scale/lost-clusters";
import { withLongestPeriods } from "#domain/scale/normalize";
import { objectPolicy } from "#domain/scale/object-policy";
import type { Policy } from "#domain/scale/policy";
import { readFailure } from "#domain/scale/read-failure";
import { withInitialRecommendation } from "#domain/scale/recommendations";
import { traceClusters } from "#domain/scale/survey-trace";
import { toDecision, type Verdict } from "#domain/scale/verdict";
import type { ConditionChange } from "#domain/status/conditions";
import { GOT_SCALE, SCALING_DISABLED, scalingInactive } from "#domain/status/reasons";
import { isCount } from "#domain/units/replicas";

/**
 * What is to be done about one object at one instant, and why. Pure, synchronous and total: it reads no clock, throws
 * for no input, changes no argument, and the same arguments give the same bytes.
 *
 * The order is Karmada's (semantics 4.1): spec, target, binding, members, gates, metrics, windows, limits. Whatever
 * fails on the way ends the decision with its condition and event, and nothing is written. Writing is not part of it:
 * `concludeScale` says what follows from the write's outcome.
 */
export function decideScale(snapshot: Snapshot, history: History, policy: Policy): Decision {
  const known = withForeignWrites(history, snapshot);
  const verdict = verdictOn(snapshot, known, policy);
  const conflict = scaleConflict(known, snapshot.object.status.conditions);
  return toDecision(snapshot, withNews(verdict, conflict));
}

const NOTHING_ASKED: Trace = { clusters: [], metrics: [] };

function verdictOn(snapshot: Snapshot, history: History, controller: Policy): Verdict {
  const { object, target, binding } = snapshot;
  const { policy, fault: annotationFault } = objectPolicy(object.annotations, controller);
  const fault = specFaults(object)[0] ?? annotationFault;
  if (fault !== undefined)
    return refuseSpec(`${fault.path}: ${fault.detail}`, withReadClusters(history, snapshot));
  if (!target.ok) return readFailure(target.fault, history, NOTHING_ASKED);
  if (!isCount(target.value.replicas)) {
    const message = `the target's replicas ${target.value.replicas} are no count`;
    return readFailure({ code: "target-unreadable", message }, history, NOTHING_ASKED);
  }
  if (binding === undefined) {
    const unread = { code: "binding-unreadable", message: "the binding was not read" } as const;
    return readFailure(unread, history, NOTHING_ASKED);
  }

  const fromZero = target.value.replicas === 0;
  if (!binding.ok) {
    // The scheduler drops clusters with 0 replicas from a binding, so at template 0 "no clusters" is the normal state.
    const expected =
      fromZero && (binding.fault.code === "clusters-none" || binding.fault.code === "clusters-unreadable");
    if (!expected) return readFailure(binding.fault, history, NOTHING_ASKED);
  }
  if (fromZero && !mayLeaveZero(snapshot, policy)) return disabled(withReadClusters(history, snapshot));
  return verdictOnMembers(snapshot, target.value, binding.ok ? binding.value : undefined, history, policy);
}

function verdictOnMembers(
  snapshot: Snapshot,
  target: Target,
  binding: Binding | undefined,
  former: History,
  policy: Policy,
): Verdict {
  const { object, instantMs } = snapshot;
  const current = target.replicas;
  const survey = surveyMembers(snapshot);
  const lost = judgeLostClusters(survey.gaps, former, policy, instantMs);
  const history = withLostClusters(former, lost);
  const trace: Trace = { clusters: traceClusters(snapshot.members, survey), metrics: [] };
  const events = survey.gaps
    .filter(({ fault }) => fault.code === "selector-missing")
    .map(() => ({ type: "Warning", reason: "SelectorRequired", message: "selector is required" }) as const);
  const readable = clustersReadable(lost, object.status.conditions);

  if (
    current > 0 &&
    survey.visible.length === 0 &&
    survey.gaps.every(({ fault }) => !isSelectorFault(fault.code))
  ) {
    const message = `failed to get replicas in any of clusters, possibly because all of clusters are not ready: ${lost.message}`;
    return withNews(readFailure({ code: "scale-unreadable", message }, history, trace, current), readable);
  }

  const seen = withInitialRecommendation(
    withLongestPeriods(history, object.spec.behavior),
    current,
    instantMs,
    policy.downscaleStabilizationSeconds,
  );
  const gate = gateOf(current, object.spec);
  if (gate !== undefined) {
    return {
      currentReplicas: current,
      desiredReplicas: gate.replicas,
      rescaleReason: gate.rescaleReason,
      conditions: [GOT_SCALE, ...readable],
      events,
      history: seen,
      recommended: false,
      trace: { ...trace, gate: gate.gate },
    };
  }

  const verdict = decideByMetrics({ snapshot, target, binding, survey, lost, trace, history: seen, policy });
  return withNews(verdict, readable, events);
}

/** The verdict with more conditions behind its own, and more events before them. */
function withNews(
  verdict: Verdict,
  conditions: readonly ConditionChange[],
  events: readonly DecisionEvent[] = [],
): Verdict {
  if (conditions.length === 0 && events.length === 0) return verdict;
  return {
    ...verdict,
    conditions: [...verdict.conditions, ...conditions],
    events: [...events, ...verdict.events],
  };
}

function isSelectorFault(code: string): boolean {
  return code === "selector-missing" || code === "selector-invalid";
}

/** Template 0 means off, unless 0 is within the bounds and a metric needs no pods to be computed (D-06). */
function mayLeaveZero({ object }: Snapshot, policy: Policy): boolean {
  const { minReplicas, metrics } = object.spec;
  if (minReplicas !== 0 || !policy.allowMinZero) return false;
  return metrics.some(({ type }) => type === "Object" || type === "External");
}

function disabled(history: History): Verdict {
  const { reason, message } = SCALING_DISABLED;
  return {
    currentReplicas: 0,
    desiredReplicas: 0,
    held: { reason, message },
    conditions: [GOT_SCALE, SCALING_DISABLED],
    events: [],
    history,
    recommended: false,
    trace: { ...NOTHING_ASKED, gate: "disabled" },
  };
}

function refuseSpec(message: string, history: History): Verdict {
  const reason = "InvalidSpec";
  return {
    held: { reason, message },
    failure: { reason, message },
    conditions: [scalingInactive(reason, message)],
    events: [{ type: "Warning", reason, message }],
    history,
    recommended: false,
    trace: NOTHING_ASKED,
  };
}
