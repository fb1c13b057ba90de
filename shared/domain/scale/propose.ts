import { groupPods, type MemberPods, type PodGroups } from "#domain/fleet/group-pods";
import type { MetricReading } from "#domain/fleet/snapshot";
import type { Survey } from "#domain/fleet/survey";
import { type PerPodMetric, podQuestion } from "#domain/scale/pod-question";
import type { Policy } from "#domain/scale/policy";
import { type Footing, type Proposal, refuse } from "#domain/scale/proposal";
import { proposeByAverage } from "#domain/scale/propose-average";
import { proposeByValue, proposeByValuePerPod, type ServingPods } from "#domain/scale/propose-object";
import { proposeByUtilization } from "#domain/scale/propose-utilization";
import { singleValueGoal } from "#domain/scale/single-value-goal";
import type { ContainerResourceMetric, MetricSpec, ResourceMetric } from "#domain/spec/federated-hpa";
import { isAmount } from "#domain/units/exact";
import type { MilliValue } from "#domain/units/milli";

/** What all metrics of one decision are computed from. */
export interface Ground {
  readonly survey: Survey;
  readonly statusReplicas: number;
  readonly serving: ServingPods;
  readonly footing: Footing;
  readonly policy: Policy;
  readonly nowMs: number;
}

/** The proposal of the metric at `index` of the spec. Total: whatever is wrong with it comes back as a fault. */
export function propose(
  metric: MetricSpec,
  index: number,
  reading: MetricReading | undefined,
  ground: Ground,
): Proposal {
  switch (metric.type) {
    case "Resource":
    case "ContainerResource":
      return proposeResource(metric, index, reading, ground);
    case "Pods": {
      const { averageValue } = metric.target;
      if (averageValue === undefined) {
        return refuse("target-missing", "invalid pods metric source: no average value target was set");
      }
      const silence = silenceOf(`unable to get metric ${metric.name}`, "custom", index, reading, ground);
      if (silence !== undefined) return silence;
      return (
        targetFault(averageValue) ??
        proposeByAverage(grouped(metric, index, ground), averageValue, ground.footing)
      );
    }
    case "Object":
    case "External":
      if (metric.type === "External" && !ground.policy.allowExternal) return unknownType(metric.type);
      return proposeSingleValue(metric, reading, ground);
    default:
      return unknownType((metric as { readonly type: string }).type);
  }
}

function proposeResource(
  metric: ResourceMetric | ContainerResourceMetric,
  index: number,
  reading: MetricReading | undefined,
  ground: Ground,
): Proposal {
  const { averageValue, averageUtilization } = metric.target;
  const target = averageValue ?? averageUtilization;
  if (target === undefined) {
    return refuse(
      "target-missing",
      "invalid resource metric source: neither an average utilization target nor an average value target was set",
    );
  }
  const silence = silenceOf(
    `unable to get metrics for resource ${metric.name}`,
    "resource",
    index,
    reading,
    ground,
  );
  if (silence !== undefined) return silence;
  const fault = targetFault(target);
  if (fault !== undefined) return fault;
  const groups = grouped(metric, index, ground);
  return averageValue === undefined
    ? proposeByUtilization(groups, Number(target), ground.footing)
    : proposeByAverage(groups, averageValue, ground.footing);
}

function proposeSingleValue(
  metric: Extract<MetricSpec, { type: "Object" | "External" }>,
  reading: MetricReading | undefined,
  ground: Ground,
): Proposal {
  const goal = singleValueGoal(metric);
  if (goal === undefined) {
    const kind = metric.type === "Object" ? "object" : "external";
    return refuse(
      "target-missing",
      `invalid ${kind} metric source: neither a value target nor an average value target was set`,
    );
  }
  const { target, perPod } = goal;
  if (reading?.kind !== "value") {
    const cause = reading?.kind === "fault" ? reading.fault.message : "no value was read";
    return refuse("metrics-unavailable", `unable to get metric ${metric.name}: ${cause}`);
  }
  const fault = targetFault(target);
  if (fault !== undefined) return fault;
  const { footing, serving, statusReplicas } = ground;
  const proposal = perPod
    ? proposeByValuePerPod(reading.milliValue, target, statusReplicas, footing)
    : proposeByValue(reading.milliValue, target, serving, footing);
  return heldToLowerBound(proposal, reading.missingClusters ?? [], metric.name, footing);
}

/** A sum that lacks a cluster's part is a lower bound: enough to scale out by, never to scale in (B46). */
function heldToLowerBound(
  proposal: Proposal,
  missingClusters: readonly string[],
  name: string,
  { currentReplicas }: Footing,
): Proposal {
  if (!proposal.ok || missingClusters.length === 0 || proposal.replicas >= currentReplicas) return proposal;
  return refuse("value-incomplete", `metric ${name} lacks the part of ${missingClusters.join(", ")}`);
}

/** The fault of a metric that nobody answered, or to which nobody had anything to say; undefined if there are samples. */
function silenceOf(
  attempt: string,
  api: "resource" | "custom",
  index: number,
  reading: MetricReading | undefined,
  { survey }: Ground,
): Proposal | undefined {
  const fault = reading?.kind === "fault" ? reading.fault : survey.metricFaults.get(index);
  if (fault !== undefined) return refuse("metrics-unavailable", `${attempt}: ${fault.message}`);
  if (survey.visible.some(({ samples }) => (samples[index]?.length ?? 0) > 0)) return undefined;
  return refuse("metrics-unavailable", `${attempt}: no metrics returned from ${api} metrics API`);
}

function targetFault(target: MilliValue): Proposal | undefined {
  if (isAmount(target) && target > 0) return undefined;
  return refuse("value-invalid", `the target ${target} is no positive amount`);
}

function unknownType(type: string): Proposal {
  return refuse("type-unknown", `unknown metric source type "${type}"`);
}

function grouped(metric: PerPodMetric, index: number, { survey, nowMs, policy }: Ground): PodGroups {
  const members: MemberPods[] = survey.visible.map(({ cluster, pods, samples }) => ({
    cluster,
    pods,
    samples: samples[index] ?? [],
  }));
  return groupPods(members, podQuestion(metric), nowMs, policy);
}
