import type { ComputedMetrics } from "#domain/scale/compute-metrics";
import type { LimitTrace } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { LostClusters } from "#domain/scale/lost-clusters";
import { type Normalized, type NormalizeRules, normalize } from "#domain/scale/normalize";
import type { Placement } from "#domain/scale/placement";
import type { Why } from "#domain/scale/verdict";
import type { ConditionChange } from "#domain/status/conditions";
import { DESIRED_WITHIN_RANGE, messageOf, scalingLimited } from "#domain/status/reasons";

/** What becomes of the winning proposal. */
export interface Settled {
  readonly normalized: Normalized;
  readonly rescale: { readonly desiredReplicas: number; readonly rescaleReason: string };
  readonly held?: Why;
  readonly limited: ConditionChange;
  readonly limits: LimitTrace;
}

/** What the holds depend on. */
export interface Holds {
  readonly placement: Placement;
  readonly lost: LostClusters;
}

/** Holds, windows and limits on the winning proposal, in this order. */
export function settle(
  winner: NonNullable<ComputedMetrics["winner"]>,
  current: number,
  { placement, lost }: Holds,
  rules: NormalizeRules,
  history: History,
  nowMs: number,
): Settled {
  const proposed = winner.replicas;
  const allowed = underLag(proposed, current, placement);
  const wanted = lost.holdsScaleIn ? Math.max(allowed, current) : allowed;
  const normalized = normalize(current, wanted, rules, history, nowMs);
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
