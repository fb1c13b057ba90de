import type { LargestSample } from "#domain/fleet/group-pods";
import type { MetricTrace } from "#domain/scale/decision";
import type { Proposal } from "#domain/scale/proposal";
import type { MetricSpec } from "#domain/spec/federated-hpa";
import { multiplyDivide } from "#domain/units/exact";

/** A sample of more than so many times its pod's request is hardly true (B50). */
const SUSPECT_FACTOR = 100;

/** The account of one metric's proposal. */
export function traceMetric(metric: MetricSpec, proposal: Proposal): MetricTrace {
  const head = headOf(metric);
  if (!proposal.ok) return { ...head, fault: proposal.fault };
  const { replicas, usageRatio, withinTolerance, current, groups } = proposal;
  const suspect = groups?.largest === undefined ? undefined : suspectOf(groups.largest);
  return {
    ...head,
    proposal: replicas,
    usageRatio,
    withinTolerance,
    current,
    ...(groups === undefined
      ? {}
      : {
          pods: {
            ready: groups.ready.pods,
            unready: groups.unready.pods,
            missing: groups.missing.pods,
            ignored: groups.ignored,
          },
        }),
    ...(suspect === undefined ? {} : { suspect }),
  };
}

export function traceSkipped(metric: MetricSpec): MetricTrace {
  return { ...headOf(metric), skipped: "no pod can be measured at template 0" };
}

function headOf({ type, name, target }: MetricSpec): MetricTrace {
  const { type: _type, ...fields } = target;
  return { type, name, target: fields };
}

function suspectOf({ request, ...sample }: LargestSample): MetricTrace["suspect"] {
  if (request === 0) return undefined;
  return sample.milliValue > multiplyDivide(request, SUSPECT_FACTOR, 1) ? sample : undefined;
}
