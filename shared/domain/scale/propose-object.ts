import { inDirection } from "#domain/scale/direction";
import { countFor, type Footing, type Proposal, refuse } from "#domain/scale/proposal";
import { isWithinTolerance } from "#domain/scale/tolerance";
import { divideUp, isAmount } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";

/** The pods of the visible clusters, as far as a metric of one value asks for them. */
export interface ServingPods {
  readonly total: number;
  /** Running and Ready; pods still starting must not be multiplied by the ratio (B10). */
  readonly serving: number;
}

/**
 * The proposal of an Object or External metric with a target value:
 *
 *   ratio = value ÷ target;  ceil(ratio × serving pods ÷ calibration), from 0 replicas ceil(ratio)
 *
 * Follows Karmada f8fdd02 GetObjectMetricReplicas. Differs: D-01, D-02, D-06, D-11, D-12.
 *
 * @example Target 10, value 20, 10 replicas of which 5 serve: ceil(2 × 5) = 10 (B10). From template 0, value 30: 3 (B14).
 */
export function proposeByValue(
  value: MilliValue,
  target: MilliValue,
  pods: ServingPods,
  footing: Footing,
): Proposal {
  if (!isAmount(value)) return refuse("value-invalid", `the metric's value ${value} is no amount`);
  const { currentReplicas, calibration, tolerance } = footing;
  const ratio = Number(value) / Number(target);
  const current = { value };
  if (currentReplicas === 0) return proposed(countFor(ratio, 1, 1), ratio, false, current);

  const withinTolerance = isWithinTolerance(ratio, tolerance);
  if (withinTolerance) return proposed(currentReplicas, ratio, true, current);
  if (pods.total === 0) {
    return refuse(
      "no-pods",
      "unable to calculate ready pods: no pods returned by selector while calculating replica count",
    );
  }
  return proposed(countFor(ratio, pods.serving, calibration), ratio, false, current, currentReplicas);
}

/**
 * The proposal of an Object or External metric with a target per pod:
 *
 *   ratio = value ÷ (target × Σ status.replicas);  inside tolerance the template's replicas,
 *   else (and with no pods, or from template 0) ceil(value ÷ target ÷ calibration)
 *
 * Follows Karmada f8fdd02 GetObjectPerPodMetricReplicas. Differs: D-01, D-02, D-04 (calibration once), D-11.
 *
 * @example Duplicated over two clusters, template 5, 10 pods, total 150, target 10: ceil(15 ÷ 2) = 8 (C01).
 *   Template 10, a surge pod makes 11, total 105: 105 ÷ 110 is inside tolerance, so 10 (B07).
 */
export function proposeByValuePerPod(
  value: MilliValue,
  target: MilliValue,
  statusReplicas: number,
  footing: Footing,
): Proposal {
  if (!isAmount(value)) return refuse("value-invalid", `the metric's value ${value} is no amount`);
  const { currentReplicas, calibration, tolerance } = footing;
  const needed = Number(value) / Number(target);
  const current = statusReplicas === 0 ? { value } : { averageValue: divideUp(value, statusReplicas) };
  if (statusReplicas === 0 || currentReplicas === 0) {
    return proposed(countFor(needed, 1, calibration), needed, false, current);
  }

  const ratio = Number(value) / (Number(target) * statusReplicas);
  if (isWithinTolerance(ratio, tolerance)) return proposed(currentReplicas, ratio, true, current);
  return proposed(countFor(needed, 1, calibration), ratio, false, current, currentReplicas);
}

/** `current` replicas, where given, hold the count to the metric's direction. */
function proposed(
  count: number | undefined,
  usageRatio: number,
  withinTolerance: boolean,
  current: { readonly value: MilliValue } | { readonly averageValue: MilliValue },
  currentReplicas?: number,
): Proposal {
  if (count === undefined)
    return refuse("value-invalid", `no count follows from a usage ratio of ${usageRatio}`);
  const replicas = currentReplicas === undefined ? count : inDirection(count, usageRatio, currentReplicas);
  return { ok: true, replicas, usageRatio, withinTolerance, current };
}
