import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";

/** Where the demand comes from, when not from the manifests' own Loads. */
export type LoadChoice = ShapeChoice | RecordedLoad;

/** A named shape between two amounts. */
export interface ShapeChoice {
  readonly kind: "shape";
  readonly name: string;
  /** In thousandths of the first metric's unit; default: by the object's bounds. */
  readonly lowMilli?: number;
  readonly highMilli?: number;
  /** Each pod's part differs by up to so many percent. */
  readonly noisePercent: number;
}

/** A demand that somebody wrote down. */
export interface RecordedLoad {
  readonly kind: "recorded";
  /** `traffic.csv` */
  readonly label: string;
  /** When it was; absent where its times count from 0. */
  readonly startMs?: number;
  /** How long it lasts; the last amount goes on. */
  readonly spanSeconds: number;
  /** The demand on one metric of one object; undefined where nothing says so. */
  of(object: FederatedHpa, metric: MetricSpec): readonly Point[] | undefined;
}

/** From `seconds` on, until the next. In thousandths of the metric's unit, ≥ 0. */
export interface Point {
  readonly seconds: number;
  readonly milli: number;
}

/** The amount in force; before the first point its own. One call costs a binary search. */
export function amountAt(points: readonly Point[], seconds: number): number {
  let low = 0;
  let high = points.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((points[middle] as Point).seconds <= seconds) low = middle;
    else high = middle;
  }
  return points[low]?.milli ?? 0;
}
