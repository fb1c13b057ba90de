import type { Decision, DecisionEvent } from "#domain/scale/decision";
import type { History, ScaleEvent } from "#domain/scale/history";
import type { FederatedHpaStatus } from "#domain/spec/federated-hpa";
import { withConditions } from "#domain/status/conditions";
import { failedToRescale, rescaled } from "#domain/status/reasons";

/** What came of writing a decision's scale. */
export type WriteOutcome = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface Conclusion {
  readonly status: FederatedHpaStatus;
  /** The decision's events, then the rescale's own. */
  readonly events: readonly DecisionEvent[];
  /** With the scale event if the write was made: only what was applied uses up a policy's budget. */
  readonly history: History;
}

/**
 * What follows from the write of `decision.scale`: AbleToScale SucceededRescale or FailedUpdateScale, the event
 * SuccessfulRescale or FailedRescale, the scale event. Without a scale the decision stands as it is.
 */
export function concludeScale(decision: Decision, written: WriteOutcome): Conclusion {
  const { scale, status, events, history, instantMs } = decision;
  if (scale === undefined) return { status, events, history };
  const { from, to, reason } = scale;
  const outcome = `New size: ${to}; reason: ${reason}`;
  if (!written.ok) {
    const { message } = written;
    return {
      status: {
        ...status,
        conditions: withConditions(status.conditions, [failedToRescale(message)], instantMs),
      },
      events: [
        ...events,
        { type: "Warning", reason: "FailedRescale", message: `${outcome}; error: ${message}` },
      ],
      history,
    };
  }
  return {
    status: {
      ...status,
      desiredReplicas: to,
      lastScaleAtMs: instantMs,
      conditions: withConditions(status.conditions, [rescaled(to)], instantMs),
    },
    events: [...events, { type: "Normal", reason: "SuccessfulRescale", message: outcome }],
    history: recordScale(history, from, to, instantMs),
  };
}

/** No policy's period is longer (the API takes 1..1800 s). */
const LONGEST_PERIOD_SECONDS = 1800;

/**
 * The history with a change that was applied, or may have been: it counts in the budgets of policies. Kept with and
 * without `behavior`, so that the budget already holds in the slot after an edit; without one nothing asks for it.
 *
 * Events lie in slots, as in Karmada: the last one that is older than every policy period of its own direction gives
 * its slot to the new event. The other direction's policies may ask further back, and see what is left; the `normalize`
 * vectors depend on it. So there are never more slots than events within one period, and one.
 */
export function recordScale(history: History, from: number, to: number, atMs: number): History {
  const event = { change: Math.abs(to - from), atMs };
  const { scaleUpEvents, scaleDownEvents, longestPeriodSeconds } = history;
  if (to > from) {
    return { ...history, scaleUpEvents: withEvent(scaleUpEvents, event, longestPeriodSeconds?.up) };
  }
  if (to < from) {
    return { ...history, scaleDownEvents: withEvent(scaleDownEvents, event, longestPeriodSeconds?.down) };
  }
  return history;
}

function withEvent(
  events: readonly ScaleEvent[],
  event: ScaleEvent,
  longestPeriodSeconds: number | undefined,
): readonly ScaleEvent[] {
  if (longestPeriodSeconds === undefined) {
    const cutoffMs = event.atMs - LONGEST_PERIOD_SECONDS * 1000;
    return [...events.filter(({ atMs }) => atMs > cutoffMs), event];
  }
  const cutoffMs = event.atMs - longestPeriodSeconds * 1000;
  const free = events.findLastIndex(({ atMs }) => atMs < cutoffMs);
  return free < 0 ? [...events, event] : events.with(free, event);
}
