import type { AccountSection } from "#domain/scale/account";
import type { ComparedSummary, Summary } from "./summary.ts";

/**
 * What a simulation found, as one JSON value: `simulate --json` prints it, reports are drawn from it. The same
 * manifests, load, span and seed give the same bytes. Every `Series` has one value for each slot: value i belongs to
 * the instant `fromMs + i * slotSeconds * 1000`, and says what was so right after that slot's evaluation had acted.
 */
export interface SimulationResult {
  readonly v: 1;
  /** What it was simulated from, as a heading: the files' names. */
  readonly title: string;
  /** The load in a few words: `spiky`, `traffic.csv`, `recorded`. */
  readonly load: string;
  readonly seed: string;
  /** Epoch milliseconds of the first slot. */
  readonly fromMs: number;
  /** One slot past the last: `fromMs + slots * slotSeconds * 1000`. */
  readonly toMs: number;
  readonly slots: number;
  readonly slotSeconds: number;
  /** The version of the code that decided. */
  readonly code: string;
  /** The members' names, in the order of every per-cluster list. */
  readonly clusters: readonly string[];
  readonly objects: readonly SimulatedObject[];
  readonly cronRuns: readonly SimulatedCronRun[];
  /** What was assumed because no manifest says it, and what went wrong; one sentence each. */
  readonly notes: readonly string[];
  /** Over all objects. */
  readonly summary: Summary;
}

/** One value a slot; null where there was none. Rounded to three decimals. */
export type Series = readonly (number | null)[];

/** One FederatedHPA. */
export interface SimulatedObject {
  readonly namespace: string;
  readonly name: string;
  /** `Deployment/web` */
  readonly target: string;
  /** What is asked of the target, over all of its pods: `cpu` in cores, `memory` in bytes, others in their unit. */
  readonly demand: readonly DemandSeries[];
  readonly metrics: readonly MetricSeries[];
  /** The bounds as each slot had them: a cron rule or a cluster's owner may move them. */
  readonly minReplicas: Series;
  readonly maxReplicas: Series;
  /** The template's `spec.replicas`. */
  readonly replicas: Series;
  /** What the evaluation wanted; null where it could not decide. */
  readonly desired: Series;
  /** Replicas that the members are given by the scheduler, and pods that are ready there; one entry for each cluster. */
  readonly byCluster: readonly ClusterSeries[];
  readonly scales: readonly SimulatedScale[];
  readonly summary: Summary;
}

export interface DemandSeries {
  readonly name: string;
  readonly unit: "cores" | "bytes" | "";
  readonly values: Series;
}

/** A metric as each evaluation read it, in the unit of its target. */
export interface MetricSeries {
  readonly type: string;
  readonly name: string;
  /** `%` of the pods' request; otherwise cores, bytes or a plain number, per pod for average values. */
  readonly unit: "%" | "cores" | "bytes" | "";
  readonly target: number | null;
  readonly values: Series;
  /** Value ÷ target, as compared with the tolerance. */
  readonly ratio: Series;
}

export interface ClusterSeries {
  readonly cluster: string;
  readonly wanted: Series;
  readonly ready: Series;
}

/** A change of the template's replicas that the FederatedHPA made. */
export interface SimulatedScale {
  /** The slot. */
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
  /** Replicas by cluster, in the order of `clusters`, as the scheduler had given them, and as it gave them then. */
  readonly clustersBefore: readonly number[];
  readonly clustersAfter: readonly number[];
  /** Karmada's words for it. */
  readonly reason: string;
  /** The decision in one line, as `history` has it. */
  readonly cause: string;
  /** What held it back or cut it off: `ScaleUpLimit`, `TooManyReplicas`, `ScaleDownStabilized` … */
  readonly limits: readonly string[];
  /** The decision in words and figures, as `why` tells it. */
  readonly account: readonly AccountSection[];
}

/** A run of a cron rule. */
export interface SimulatedCronRun {
  /** The rule's instant. */
  readonly atMs: number;
  /** When it was done. */
  readonly executionMs: number;
  /** Of the CronFederatedHPA. */
  readonly namespace: string;
  readonly name: string;
  readonly rule: string;
  readonly outcome: string;
  /** `Deployment/web` */
  readonly target: string;
  /** What it did, in words: `Deployment web: replicas 2 to 6`. */
  readonly effect: string;
}

/** What a report shows: one run, or two on the same load over the same span with their figures side by side. */
export interface SimulationReport {
  readonly v: 1;
  readonly runs: readonly [SimulationResult] | readonly [SimulationResult, SimulationResult];
  /** Only with two runs. */
  readonly compared?: readonly ComparedSummary[];
}
