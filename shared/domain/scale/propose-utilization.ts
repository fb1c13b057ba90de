import type { PodGroups } from "#domain/fleet/group-pods";
import { type Footing, type Proposal, refuse } from "#domain/scale/proposal";
import { proposePerPod } from "#domain/scale/propose-per-pod";
import { addMilli, multiplyDivide } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";
import { clampReplicas } from "#domain/units/replicas";

/**
 * The proposal of a Resource or ContainerResource metric with a target in percent of the request.
 *
 *   utilization = trunc(100 × Σ usage ÷ Σ requests), over the pods that have a sample
 *   ratio       = utilization ÷ target
 *
 * Follows Karmada f8fdd02 GetResourceReplicas. Differs: D-01 tolerance edge, D-02 direction, D-03 pod identity and
 * strays, D-11 exact sums, D-12 terminal pods, D-13 requests.
 *
 * @example Usage 50m, 30m, 70m of 100m each, target 60 %: trunc(100 × 150 ÷ 300) = 50 %, ratio 0.83…,
 *   ceil(0.83… × 3) = 3.
 */
export function proposeByUtilization(groups: PodGroups, targetPercent: number, footing: Footing): Proposal {
  const fault = faultOf(groups);
  if (fault !== undefined) return fault;
  const { ready, unready, missing } = groups;
  const utilization = percentOf(ready.usage, ready.requests);
  const current = {
    averageUtilization: clampReplicas(Number(utilization)),
    averageValue: multiplyDivide(ready.usage, 1, ready.pods),
  };
  const ratioOf = (usage: MilliValue, requests: MilliValue): number =>
    Number(percentOf(usage, requests)) / targetPercent;

  return proposePerPod(
    groups,
    {
      current,
      ratio: Number(utilization) / targetPercent,
      ratioWithMissingFull: () => {
        // A target above 100 % means that pods are expected there, so "full" is the target.
        const fullPercent = Math.max(100, Math.trunc(targetPercent));
        let usage = ready.usage;
        for (const request of missing.requests) {
          usage = addMilli(usage, multiplyDivide(request, fullPercent, 100));
        }
        return ratioOf(usage, addMilli(ready.requests, sumOf(missing.requests)));
      },
      ratioWithIdle: (idle) => {
        let requests = ready.requests;
        if (idle.missing) requests = addMilli(requests, sumOf(missing.requests));
        if (idle.unready) requests = addMilli(requests, unready.requests);
        return ratioOf(ready.usage, requests);
      },
    },
    footing,
  );
}

/** The order is Karmada's: it decides which fault is named when several hold. */
function faultOf({ total, missingRequest, ready }: PodGroups): Proposal | undefined {
  if (total === 0) return refuse("no-pods", "no pods returned by selector while calculating replica count");
  if (missingRequest !== undefined) return refuse("missing-request", missingRequest);
  if (ready.pods === 0) return refuse("no-ready-metrics", "did not receive metrics for any ready pods");
  if (ready.requests === 0) return refuse("no-matching-requests", "no metrics returned matched known pods");
  return undefined;
}

function percentOf(usage: MilliValue, requests: MilliValue): MilliValue {
  return multiplyDivide(usage, 100, requests);
}

function sumOf(amounts: readonly MilliValue[]): MilliValue {
  return amounts.reduce(addMilli, 0);
}
