import type { PodGroups } from "#domain/fleet/group-pods";
import { inDirection } from "#domain/scale/direction";
import { type CurrentValue, countFor, type Footing, type Proposal, refuse } from "#domain/scale/proposal";
import { isWithinTolerance } from "#domain/scale/tolerance";

/** How one kind of target measures pods; the rest of the rule is the same for all. */
export interface PodMeasure {
  readonly current: CurrentValue;
  /** Current ÷ target over the ready pods alone. */
  readonly ratio: number;
  /** The ratio again with missing pods at full use, for a scale-in. */
  readonly ratioWithMissingFull: () => number;
  /** The ratio again with so many idle pods added: missing ones, unready ones, or both, for a scale-out. */
  readonly ratioWithIdle: (idle: { readonly missing: boolean; readonly unready: boolean }) => number;
}

/**
 * The proposal of a metric that is measured pod by pod (semantics 4.4):
 *
 * 1. Nothing missing, and no unready pods on the way up: stay within tolerance, else ceil(ratio × ready ÷ calibration).
 * 2. Otherwise be careful and measure again: on the way down a missing pod counts as fully used, on the way up missing
 *    and unready pods count as idle; exactly on target nothing is filled in (B01).
 *    Stay if that is within tolerance or on the other side of the target (B02),
 *    else ceil(new ratio × pods measured ÷ calibration).
 * 3. Never against the metric's direction (D-02).
 *
 * @example 3 pods at 90 % and one being made without a sample, target 50 %: (270 + 0) / 400 = 67 %,
 *   ceil(1.34 × 4) = 6 (B28).
 */
export function proposePerPod(groups: PodGroups, measure: PodMeasure, footing: Footing): Proposal {
  const { ready, unready, missing } = groups;
  const up = measure.ratio > 1;
  const down = measure.ratio < 1;
  const idle = { missing: up && missing.pods > 0, unready: up && unready.pods > 0 };

  let ratio = measure.ratio;
  let pods = ready.pods;
  if (down && missing.pods > 0) {
    ratio = measure.ratioWithMissingFull();
    pods += missing.pods;
  } else if (idle.missing || idle.unready) {
    ratio = measure.ratioWithIdle(idle);
    pods += (idle.missing ? missing.pods : 0) + (idle.unready ? unready.pods : 0);
  }

  const withinTolerance = isWithinTolerance(ratio, footing.tolerance);
  const flipped = (down && ratio > 1) || (up && ratio < 1);
  const count = countFor(ratio, pods, footing.calibration);
  if (count === undefined) return refuse("value-invalid", `no count follows from a usage ratio of ${ratio}`);
  const { currentReplicas } = footing;
  const replicas = withinTolerance || flipped ? currentReplicas : inDirection(count, ratio, currentReplicas);
  return { ok: true, replicas, usageRatio: ratio, withinTolerance, current: measure.current, groups };
}
