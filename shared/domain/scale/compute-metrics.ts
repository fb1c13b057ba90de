import type { MetricReading } from "#domain/fleet/snapshot";
import type { DecisionEvent, MetricTrace } from "#domain/scale/decision";
import { type MetricWords, metricWords, UNKNOWN_TYPE } from "#domain/scale/metric-name";
import { traceMetric, traceSkipped } from "#domain/scale/metric-trace";
import type { MetricFault, Proposed } from "#domain/scale/proposal";
import { type Ground, propose } from "#domain/scale/propose";
import type { Why } from "#domain/scale/verdict";
import type { MetricSpec, MetricStatus } from "#domain/spec/federated-hpa";
import type { ConditionChange } from "#domain/status/conditions";
import { metricStatus } from "#domain/status/metric-status";
import { scalingInactive, validMetricFound } from "#domain/status/reasons";

/** The metrics of one object, each computed, and the largest proposal where one may be acted on. */
export interface ComputedMetrics {
  /** Absent if nothing may be done: every metric failed, or one failed and the others would scale in (B42). */
  readonly winner?: { readonly replicas: number; readonly name: string };
  /** Set if any metric failed, also beside a winner (B43). */
  readonly failure?: Why;
  readonly condition: ConditionChange;
  readonly events: readonly DecisionEvent[];
  /** Entries of the metrics that were computed, in the order of the spec (B44). */
  readonly statuses: readonly MetricStatus[];
  readonly traces: readonly MetricTrace[];
  readonly computed: readonly Proposed[];
}

/**
 * Computes every metric; the largest proposal wins, the first of equals names it (semantics 4.1, point 8). From
 * template 0 only Object and External metrics have a say, because no pod can be measured (D-06).
 */
export function computeMetrics(
  metrics: readonly MetricSpec[],
  readings: readonly MetricReading[],
  ground: Ground,
): ComputedMetrics {
  const { currentReplicas } = ground.footing;
  const statuses: MetricStatus[] = [];
  const traces: MetricTrace[] = [];
  const computed: Proposed[] = [];
  const failed: Failed[] = [];
  let winner: ComputedMetrics["winner"];
  let asked = 0;

  for (const [index, metric] of metrics.entries()) {
    if (currentReplicas === 0 && !isSingleValue(metric)) {
      traces.push(traceSkipped(metric));
      continue;
    }
    asked += 1;
    const proposal = propose(metric, index, readings[index], ground);
    traces.push(traceMetric(metric, proposal));
    if (!proposal.ok) {
      const words = proposal.fault.code === "type-unknown" ? UNKNOWN_TYPE : metricWords(metric);
      failed.push({ words, fault: proposal.fault });
      continue;
    }
    computed.push(proposal);
    statuses.push(metricStatus(metric, proposal.current));
    if (winner === undefined || proposal.replicas > winner.replicas) {
      winner = { replicas: proposal.replicas, name: metricWords(metric).name };
    }
  }

  const common = { events: failed.map(failedEvent), statuses, traces, computed };
  const [first] = failed;
  if (first === undefined && winner !== undefined) {
    return { ...common, winner, condition: validMetricFound(winner.name) };
  }
  const failure = summary(failed, asked);
  if (winner !== undefined && winner.replicas >= currentReplicas) {
    return { ...common, winner, failure, condition: validMetricFound(winner.name) };
  }
  const condition = first === undefined ? scalingInactive(failure.reason, failure.message) : inactive(first);
  const failedAll = {
    type: "Warning",
    reason: "FailedComputeMetricsReplicas",
    message: failure.message,
  } as const;
  return { ...common, failure, condition, events: [...common.events, failedAll] };
}

export function isSingleValue({ type }: MetricSpec): boolean {
  return type === "Object" || type === "External";
}

interface Failed {
  readonly words: MetricWords;
  readonly fault: MetricFault;
}

function failedEvent({ words, fault }: Failed): DecisionEvent {
  return { type: "Warning", reason: words.failedReason, message: textOf({ words, fault }) };
}

function inactive({ words, fault }: Failed): ConditionChange {
  const message = `the HPA was unable to compute the replica count: ${textOf({ words, fault })}`;
  return scalingInactive(words.failedReason, message);
}

/** A target that sets nothing is named as it is; everything else says first what was to be computed. */
function textOf({ words, fault }: Failed): string {
  return fault.code === "target-missing" ? fault.message : `${words.prefix}${fault.message}`;
}

function summary(failed: readonly Failed[], asked: number): Why {
  const [first] = failed;
  if (first === undefined)
    return { reason: "InvalidSpec", message: "spec.metrics is empty: name at least one metric" };
  const counts = `invalid metrics (${failed.length} invalid out of ${asked})`;
  const message = `${counts}, first error is: ${first.words.summaryPrefix}${textOf(first)}`;
  return { reason: first.words.failedReason, message };
}
