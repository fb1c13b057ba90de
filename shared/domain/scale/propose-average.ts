import type { PodGroups } from "#domain/fleet/group-pods";
import { type Footing, type Proposal, refuse } from "#domain/scale/proposal";
import { proposePerPod } from "#domain/scale/propose-per-pod";
import { addMilli, multiplyDivide } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";

/**
 * The proposal of a metric whose target is an average over the pods: Pods metrics, and resources by average value.
 *
 *   average = trunc(Σ usage ÷ pods with a sample)
 *   ratio   = average ÷ target
 *
 * Follows Karmada f8fdd02 calcPlainMetricReplicas. Differs: D-01 tolerance edge, D-02 direction, D-03 pod identity and
 * strays, D-11 exact sums, D-12 terminal pods.
 *
 * @example Target 1000m, three pods report 1000m, one has no sample, replicas 4: the ratio is exactly 1, so nothing is
 *   filled in and it stays 4 (B01).
 */
export function proposeByAverage(groups: PodGroups, target: MilliValue, footing: Footing): Proposal {
  const { total, ready, unready, missing } = groups;
  if (total === 0) return refuse("no-pods", "no pods returned by selector while calculating replica count");
  if (ready.pods === 0) return refuse("no-ready-metrics", "did not receive metrics for any ready pods");
  const average = multiplyDivide(ready.usage, 1, ready.pods);
  const ratioOf = (usage: MilliValue, pods: number): number =>
    Number(multiplyDivide(usage, 1, pods)) / Number(target);

  return proposePerPod(
    groups,
    {
      current: { averageValue: average },
      ratio: Number(average) / Number(target),
      ratioWithMissingFull: () =>
        ratioOf(addMilli(ready.usage, multiplyDivide(target, missing.pods, 1)), ready.pods + missing.pods),
      ratioWithIdle: (idle) =>
        ratioOf(
          ready.usage,
          ready.pods + (idle.missing ? missing.pods : 0) + (idle.unready ? unready.pods : 0),
        ),
    },
    footing,
  );
}
