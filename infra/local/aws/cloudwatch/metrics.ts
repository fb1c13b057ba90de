import type { Clock } from "#ports/clock";

/** Values that were put for one instant, and how often each. */
interface Point {
  readonly atMs: number;
  readonly values: readonly { readonly value: number; readonly count: number }[];
  /** Of a statistic set, whose values are not known. */
  readonly set?: StatisticSet;
}

export interface StatisticSet {
  readonly SampleCount: number;
  readonly Sum: number;
  readonly Minimum: number;
  readonly Maximum: number;
}

export interface MetricName {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Datapoints of one period each, by the instant (epoch ms) at which it begins. */
export type TimeSeries = ReadonlyMap<number, number>;

/** As long as CloudWatch keeps datapoints of a minute. */
const KEPT_MS = 15 * 24 * 3_600_000;

/** The metrics of this machine's CloudWatch, in memory: they end with the process. */
export class Metrics {
  readonly #clock: Clock;
  readonly #series = new Map<string, Point[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  put(name: MetricName, point: Point): void {
    const key = keyOf(name);
    const kept = (this.#series.get(key) ?? []).filter(({ atMs }) => atMs > this.nowMs() - KEPT_MS);
    this.#series.set(key, [...kept, point]);
  }

  /** A statistic for each period in [from, to) that has values; undefined for a statistic that is not played here. */
  read(
    name: MetricName,
    stat: string,
    periodMs: number,
    fromMs: number,
    toMs: number,
  ): TimeSeries | undefined {
    const statistic = statisticOf(stat);
    if (statistic === undefined) return undefined;
    const periods = new Map<number, Point[]>();
    for (const point of this.#series.get(keyOf(name)) ?? []) {
      const beginMs = Math.floor(point.atMs / periodMs) * periodMs;
      if (beginMs < fromMs || beginMs >= toMs) continue;
      periods.set(beginMs, [...(periods.get(beginMs) ?? []), point]);
    }
    const values = [...periods].map(([beginMs, points]) => [beginMs, statistic(points)] as const);
    return new Map(values.filter((entry): entry is readonly [number, number] => entry[1] !== undefined));
  }
}

function keyOf({ namespace, metric, dimensions }: MetricName): string {
  return JSON.stringify([namespace, metric, Object.entries(dimensions).sort()]);
}

type Statistic = (points: readonly Point[]) => number | undefined;

const STATISTICS: Readonly<Record<string, Statistic>> = {
  SampleCount: (points) => total(points, "SampleCount"),
  Sum: (points) => total(points, "Sum"),
  Average: (points) => total(points, "Sum") / total(points, "SampleCount"),
  Minimum: (points) => Math.min(...points.map((point) => setOf(point).Minimum)),
  Maximum: (points) => Math.max(...points.map((point) => setOf(point).Maximum)),
};

function statisticOf(stat: string): Statistic | undefined {
  const percentile = /^p(\d{1,3}(\.\d+)?)$/.exec(stat);
  return percentile ? (points) => percentileOf(points, Number(percentile[1])) : STATISTICS[stat];
}

function total(points: readonly Point[], field: "SampleCount" | "Sum"): number {
  return points.reduce((sum, point) => sum + setOf(point)[field], 0);
}

function setOf({ values, set }: Point): StatisticSet {
  if (set !== undefined) return set;
  return {
    SampleCount: values.reduce((sum, { count }) => sum + count, 0),
    Sum: values.reduce((sum, { value, count }) => sum + value * count, 0),
    Minimum: Math.min(...values.map(({ value }) => value)),
    Maximum: Math.max(...values.map(({ value }) => value)),
  };
}

/** The nearest rank; none where a statistic set hides the values. */
function percentileOf(points: readonly Point[], percent: number): number | undefined {
  if (points.some(({ set }) => set !== undefined)) return undefined;
  const values = points
    .flatMap((point) => point.values.flatMap(({ value, count }) => Array<number>(count).fill(value)))
    .sort((a, b) => a - b);
  return values[Math.max(0, Math.ceil((percent / 100) * values.length) - 1)];
}
