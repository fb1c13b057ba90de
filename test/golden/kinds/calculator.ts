import { groupPods, type MemberPods } from "#domain/fleet/group-pods";
import { livePods } from "#domain/fleet/live-pods";
import type { PodSample } from "#domain/fleet/pod";
import { isServing } from "#domain/fleet/readiness";
import type { Footing, Proposal } from "#domain/scale/proposal";
import { proposeByAverage } from "#domain/scale/propose-average";
import { proposeByValue, proposeByValuePerPod } from "#domain/scale/propose-object";
import { proposeByUtilization } from "#domain/scale/propose-utilization";
import { type MilliValue, milliValue } from "#domain/units/milli";
import { EVERYTHING } from "#domain/units/selector";
import type { Judge } from "#test/golden/judge";
import { settle } from "#test/golden/ledger";
import {
  CALCULATOR_LEDGER,
  type CalculatorAnswer,
  type CalculatorInput,
  type VectorPod,
  type VectorSample,
} from "#test/golden/ledger/calculator";
import { decodePod } from "#wire/kubernetes/pod";

export interface CalculatorOut {
  readonly replicas?: number;
  readonly usage?: number | string;
  readonly utilization?: number;
  readonly rawUtilization?: number | string;
  readonly error?: string;
  readonly errorKind?: string;
}

export const judge: Judge<CalculatorInput, CalculatorOut> = ({ in: input, out }) =>
  settle(CALCULATOR_LEDGER, { in: input, out: karmadas(out) }, ours(input));

/** Errors are compared by kind; the pod that lacks a request by name too. */
export function karmadas({ error, errorKind, ...out }: CalculatorOut): CalculatorAnswer {
  if (errorKind !== undefined) return { error: errorText(errorKind, error ?? "") };
  const { usage, rawUtilization, ...counts } = out;
  return {
    ...counts,
    ...(usage === undefined ? {} : { usage: String(usage) }),
    ...(rawUtilization === undefined ? {} : { rawUtilization: String(rawUtilization) }),
  };
}

function errorText(kind: string, message: string): string {
  return kind === "missing-request" ? message.replace("missing request for", "missing-request:") : kind;
}

function ours(input: CalculatorInput): CalculatorAnswer {
  if (input.metricsError !== undefined) return { error: "metrics-unavailable" };
  const proposal = propose(input);
  if (!proposal.ok) return { error: errorText(proposal.fault.code, proposal.fault.message) };
  const { averageUtilization, averageValue, value } = proposal.current;
  const { replicas } = proposal;
  if (averageUtilization === undefined) return { replicas, usage: String(averageValue ?? value) };
  return { replicas, utilization: averageUtilization, rawUtilization: String(averageValue) };
}

function propose(input: CalculatorInput): Proposal {
  const { method, resource, container, calibration, statusReplicas = 0, tolerance } = input;
  const members = membersOf(input);
  const target = amount(input.targetMilliValue ?? 0);
  const value = amount(input.objectUsageMilliValue ?? 0);
  const footing: Footing = {
    // Calculator vectors of this method have no template (design 4).
    currentReplicas:
      method === "GetObjectPerPodMetricReplicas"
        ? Math.ceil(statusReplicas / calibration)
        : (input.currentReplicas ?? 0),
    calibration,
    tolerance: { down: tolerance, up: tolerance },
  };
  switch (method) {
    case "GetObjectMetricReplicas": {
      const pods = members.flatMap((member) => member.pods);
      return proposeByValue(
        value,
        target,
        { total: pods.length, serving: pods.filter(isServing).length },
        footing,
      );
    }
    case "GetObjectPerPodMetricReplicas":
      return proposeByValuePerPod(value, target, statusReplicas, footing);
    default: {
      const question = {
        ...(resource === undefined ? {} : { resource }),
        ...(container === undefined ? {} : { container }),
        withRequests: method === "GetResourceReplicas",
      };
      const groups = groupPods(members, question, Date.parse(input.now), input);
      return method === "GetResourceReplicas"
        ? proposeByUtilization(groups, input.targetUtilization ?? 0, footing)
        : proposeByAverage(groups, target, footing);
    }
  }
}

/** Pods without a cluster are those of one cluster; a sample by name alone belongs to whichever has such a pod. */
function membersOf({ pods = [], metrics = {}, metricsByCluster }: CalculatorInput): readonly MemberPods[] {
  const clusters = [...new Set(pods.map((pod) => pod.cluster ?? "only"))];
  return clusters.map((cluster) => {
    const own = pods.filter((pod) => (pod.cluster ?? "only") === cluster);
    const samples = Object.entries(metricsByCluster ?? metrics).flatMap(([key, sample]) => {
      if (metricsByCluster === undefined) return [sampleOf(key, sample)];
      return key.startsWith(`${cluster}/`) ? [sampleOf(key.slice(cluster.length + 1), sample)] : [];
    });
    return { cluster, pods: livePods(own.map(podOf), EVERYTHING), samples };
  });
}

function podOf(pod: VectorPod) {
  const read = decodePod({ ...pod, spec: pod.spec ?? { containers: [] } });
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

function sampleOf(pod: string, { milliValue: value, timestamp, windowSeconds }: VectorSample): PodSample {
  return { pod, milliValue: amount(value), timestampMs: Date.parse(timestamp), windowSeconds };
}

function amount(value: number | string): MilliValue {
  return milliValue(BigInt(value));
}
