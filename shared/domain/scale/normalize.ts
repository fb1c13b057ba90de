import type { History } from "#domain/scale/history";
import { type Bounds, type Limited, limitWithBehavior, limitWithoutBehavior } from "#domain/scale/limits";
import { recordRecommendation, withInitialRecommendation } from "#domain/scale/recommendations";
import { highestRecent, type StabilizationWindows, withinRecent } from "#domain/scale/stabilize";
import type { Behavior, ScalingRules } from "#domain/spec/federated-hpa";

/** A proposal after windows and limits, and the history with it on record. */
export interface Normalized extends Limited {
  readonly stabilized: number;
  /** Reason of AbleToScale. */
  readonly able: "ReadyForNewScale" | "ScaleUpStabilized" | "ScaleDownStabilized";
  readonly history: History;
}

export interface NormalizeRules extends Bounds {
  readonly behavior?: Behavior;
  /** `--horizontal-pod-autoscaler-downscale-stabilization`: the down window where the spec has none (B38). */
  readonly downscaleStabilizationSeconds: number;
}

/**
 * Windows first, then limits (semantics 4.12). The windows look at what was recommended before `nowMs` and at
 * `proposed` itself, which is put on record unstabilized. The first sight of an object records `current` before.
 */
export function normalize(
  current: number,
  proposed: number,
  rules: NormalizeRules,
  former: History,
  nowMs: number,
): Normalized {
  const { behavior, downscaleStabilizationSeconds } = rules;
  const seen = withInitialRecommendation(former, current, nowMs, downscaleStabilizationSeconds);
  const history = recordRecommendation(seen, proposed, nowMs, downscaleStabilizationSeconds);
  const { recommendations } = seen;

  if (behavior === undefined) {
    const stabilized = highestRecent(recommendations, proposed, downscaleStabilizationSeconds, nowMs);
    const able = stabilized === proposed ? "ReadyForNewScale" : "ScaleDownStabilized";
    return { ...limitWithoutBehavior(current, stabilized, rules), stabilized, able, history };
  }

  const windows = windowsOf(behavior, downscaleStabilizationSeconds);
  const stabilized = withinRecent(recommendations, current, proposed, windows, nowMs);
  const limited = limitWithBehavior(current, stabilized, rules, behavior, seen, nowMs);
  return { ...limited, stabilized, able: ableReason(current, proposed, stabilized), history };
}

/** The windows of an object; without `behavior` only a fall waits. */
export function windowsOf(
  behavior: Behavior | undefined,
  downscaleStabilizationSeconds: number,
): StabilizationWindows {
  return {
    upSeconds: behavior?.scaleUp.stabilizationWindowSeconds ?? 0,
    downSeconds: behavior?.scaleDown.stabilizationWindowSeconds ?? downscaleStabilizationSeconds,
  };
}

/** The history with the spec's longest policy periods, by which `recordScale` frees slots. */
export function withLongestPeriods(history: History, behavior: Behavior | undefined): History {
  if (behavior === undefined && history.longestPeriodSeconds === undefined) return history;
  const { longestPeriodSeconds: _former, ...rest } = history;
  if (behavior === undefined) return rest;
  const longest = ({ policies }: ScalingRules): number =>
    policies.reduce((seconds, { periodSeconds }) => Math.max(seconds, periodSeconds), 0);
  return {
    ...rest,
    longestPeriodSeconds: { up: longest(behavior.scaleUp), down: longest(behavior.scaleDown) },
  };
}

function ableReason(current: number, proposed: number, stabilized: number): Normalized["able"] {
  if (stabilized === proposed) return "ReadyForNewScale";
  return proposed >= current ? "ScaleUpStabilized" : "ScaleDownStabilized";
}
