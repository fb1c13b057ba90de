import type { Snapshot } from "#domain/fleet/snapshot";
import { account } from "#domain/scale/account";
import type { Decision } from "#domain/scale/decision";
import type { Policy } from "#domain/scale/policy";
import { summary } from "#domain/scale/summary";
import { formatInstant } from "#domain/units/instant";
import type { FleetView } from "#sim/fleet-view";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { amountOf, toThousandth, unitOf } from "./amounts.ts";
import type { DemandProbe } from "./demand-probe.ts";
import type { SimulatedObject, SimulatedScale } from "./result.ts";
import { summarize } from "./summarize.ts";
import { targetOf } from "./target.ts";

/** One evaluation with what it saw. */
export interface Evaluation {
  readonly snapshot: Snapshot;
  readonly decision: Decision;
}

/** A scale as the table has it. */
export interface RecordedScale {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** Keeps what happens to one FederatedHPA, slot by slot. */
export interface Recorder {
  readonly namespace: string;
  readonly name: string;
  /** The evaluations of the slot that is under way, in their order. */
  evaluated(evaluation: Evaluation): void;
  /** Whether one of them asked for a scale. */
  wantsScale(): boolean;
  /** After the slot's work, with the scales that came of it. */
  endSlot(atMs: number, scales: readonly RecordedScale[]): void;
  object(): SimulatedObject;
  /** What the evaluations without a decision had, in one sentence; undefined where there were none. */
  trouble(): string | undefined;
}

type Column = (number | null)[];

export interface RecorderOptions {
  readonly view: FleetView;
  readonly probes: readonly DemandProbe[];
  /** The FederatedHPA as the hub has it at the start. */
  readonly stored: unknown;
  readonly policy: Policy;
}

export function openRecorder({ view, probes, stored, policy }: RecorderOptions): Recorder {
  const spec = decodeFederatedHpa(stored);
  const { namespace, name } = spec;
  const target = targetOf(spec);
  const demand = probes.map((probe) => ({ probe, values: [] as Column }));
  const metrics = spec.spec.metrics.map((metric) => ({
    metric,
    values: [] as Column,
    ratio: [] as Column,
  }));
  const columns = {
    minReplicas: [] as Column,
    maxReplicas: [] as Column,
    replicas: [] as Column,
    desired: [] as Column,
    isAbove: [] as boolean[],
  };
  const byCluster = view.clusters.map((cluster) => ({
    cluster,
    wanted: [] as number[],
    ready: [] as number[],
  }));
  const scales: SimulatedScale[] = [];
  let evaluations: Evaluation[] = [];
  let failed = 0;
  let firstFailure: string | undefined;
  let wantedBefore = view.wanted(target);

  function keepDecision(decision: Decision | undefined): void {
    const { trace } = decision ?? {};
    columns.desired.push(decision?.desiredReplicas ?? null);
    if (decision !== undefined && decision.desiredReplicas === undefined) noteFailure(decision);
    const tolerance = trace?.rules?.tolerance.up ?? policy.tolerance;
    for (const [i, { metric, values, ratio }] of metrics.entries()) {
      const seen = trace?.metrics[i];
      const same = seen?.name === metric.name ? seen : undefined;
      values.push(amountOf(same?.current, metric.target));
      ratio.push(same?.usageRatio === undefined ? null : toThousandth(same.usageRatio));
    }
    columns.isAbove.push((trace?.metrics ?? []).some(({ usageRatio = 0 }) => usageRatio > 1 + tolerance));
  }

  function noteFailure({ failure, held, instantMs }: Decision): void {
    failed += 1;
    const { reason, message } = failure ?? held ?? { reason: "unknown", message: "it says not why" };
    firstFailure ??= `${formatInstant(instantMs)}: ${reason}: ${message}`;
  }

  function keepScale(scale: RecordedScale, clustersAfter: readonly number[]): void {
    const evaluation = evaluations.find(({ decision }) => decision.instantMs === scale.atMs);
    if (evaluation === undefined) return;
    const { snapshot, decision } = evaluation;
    const { atMs, from, to, reason } = scale;
    scales.push({
      atMs,
      from,
      to,
      reason,
      clustersBefore: wantedBefore,
      clustersAfter,
      cause: summary(decision),
      limits: limitsOf(decision),
      account: account(decision, { snapshot, policy }),
    });
  }

  return {
    namespace,
    name,
    evaluated: (evaluation) => evaluations.push(evaluation),
    wantsScale: () => evaluations.some(({ decision }) => decision.scale !== undefined),
    endSlot(atMs, recorded) {
      const { minReplicas, maxReplicas } = evaluations.at(-1)?.snapshot.object.spec ?? spec.spec;
      columns.minReplicas.push(minReplicas);
      columns.maxReplicas.push(maxReplicas);
      columns.replicas.push(view.replicas(target));
      for (const { probe, values } of demand) values.push(probe.at(atMs));
      keepDecision(evaluations.at(-1)?.decision);
      const wanted = view.wanted(target);
      const ready = view.ready(target);
      for (const [i, cluster] of byCluster.entries()) {
        cluster.wanted.push(wanted[i] ?? 0);
        cluster.ready.push(ready[i] ?? 0);
      }
      for (const scale of recorded) keepScale(scale, wanted);
      wantedBefore = wanted;
      evaluations = [];
    },
    trouble: () =>
      firstFailure && `${namespace}/${name} could not be decided ${failed} times, first at ${firstFailure}`,
    object() {
      const { isAbove, ...kept } = columns;
      return {
        namespace,
        name,
        target: `${target.kind}/${target.name}`,
        demand: demand.map(({ probe, values }) => ({ name: probe.name, unit: probe.unit, values })),
        metrics: metrics.map(({ metric, values, ratio }) => ({
          type: metric.type,
          name: metric.name,
          unit: unitOf(metric),
          target: amountOf(metric.target, metric.target),
          values,
          ratio,
        })),
        ...kept,
        byCluster,
        scales,
        summary: summarize({ ...kept, isAbove, byCluster, scales, slotSeconds: policy.syncPeriodSeconds }),
      };
    },
  };
}

/** What a window held back, what a rate or a bound cut off, or the gate that answered alone. */
function limitsOf({ trace: { gate, limits } }: Decision): readonly string[] {
  if (gate !== undefined) return [gate];
  if (limits === undefined) return [];
  const { proposed, recorded = proposed, stabilized, final, able, limited } = limits;
  return [
    ...(stabilized === recorded ? [] : [able]),
    ...(final === stabilized || limited === undefined ? [] : [limited]),
  ];
}
