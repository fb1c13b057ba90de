import type { MetricFigure } from "#domain/scale/figures";

/** One object's course, ready to be drawn: every list of values has one for each instant, null where there was none. */
export interface Timeline {
  /** Epoch milliseconds, ascending. */
  readonly atMs: readonly number[];
  /** Up to where the last values hold. */
  readonly untilMs: number;
  readonly demand: readonly Line[];
  readonly metrics: readonly MetricLine[];
  /** The template's replicas, which the bounds are about: a duplicated workload runs so many in each cluster. */
  readonly template: Values;
  /** Replicas that the scheduler gave to each cluster. */
  readonly clusters: readonly ClusterLine[];
  /** Pods that are ready, over all clusters. */
  readonly ready: Values;
  readonly minReplicas: Values;
  readonly maxReplicas: Values;
  /** What a shadow of the object wanted; absent where it has none. */
  readonly shadow?: Values;
  readonly marks: readonly Mark[];
}

export type Values = readonly (number | null)[];
export type Unit = MetricFigure["unit"];

export interface Line {
  readonly name: string;
  readonly unit: Unit;
  readonly values: Values;
}

export interface MetricLine extends Line {
  readonly target: Values;
}

export interface ClusterLine {
  readonly name: string;
  readonly replicas: Values;
}

/** Something that happened at an instant. */
export interface Mark {
  readonly atMs: number;
  readonly kind: "up" | "down" | "limited" | "trouble" | "cron";
  readonly text: string;
}
