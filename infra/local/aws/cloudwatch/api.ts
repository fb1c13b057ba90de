/** The CloudWatch API in its JSON protocol, as far as metrics go. Ref: Amazon CloudWatch API Reference. */
import { AwsError } from "#infra/local/aws/error";
import { evaluate } from "./expression.ts";
import type { MetricName, Metrics, StatisticSet, TimeSeries } from "./metrics.ts";

const MAX_QUERIES = 500;
const MAX_DATA = 1_000;
const MINUTE_MS = 60_000;
const OLDEST_MS = 14 * 24 * 3_600_000;
const NEWEST_MS = 2 * 3_600_000;
const FULL_RESOLUTION = [1, 5, 10, 20, 30];

interface Dimension {
  readonly Name: string;
  readonly Value: string;
}

interface Datum {
  readonly MetricName?: string;
  readonly Dimensions?: readonly Dimension[];
  /** Epoch seconds. */
  readonly Timestamp?: number;
  readonly Value?: number;
  readonly Values?: readonly number[];
  readonly Counts?: readonly number[];
  readonly StatisticValues?: StatisticSet;
  readonly StorageResolution?: number;
}

interface Query {
  readonly Id?: string;
  readonly Label?: string;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace?: string;
      readonly MetricName?: string;
      readonly Dimensions?: readonly Dimension[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
  readonly Expression?: string;
  readonly Period?: number;
  readonly ReturnData?: boolean;
}

interface Input {
  readonly Namespace?: string;
  readonly MetricData?: readonly Datum[];
  readonly MetricDataQueries?: readonly Query[];
  readonly StartTime?: number;
  readonly EndTime?: number;
  readonly ScanBy?: string;
}

type Operation = (metrics: Metrics, input: Input) => object;

export const CLOUDWATCH_OPERATIONS: Readonly<Record<string, Operation>> = {
  PutMetricData(metrics, { Namespace, MetricData = [] }) {
    if (MetricData.length > MAX_DATA)
      throw invalid(`The collection MetricData must not have a size greater than ${MAX_DATA}.`);
    const namespace = required("Namespace", Namespace);
    const points = MetricData.map((datum) => pointOf(namespace, datum, metrics.nowMs()));
    for (const { name, point } of points) metrics.put(name, point);
    return {};
  },

  GetMetricData(metrics, input) {
    const { MetricDataQueries: queries = [], StartTime, EndTime, ScanBy } = input;
    const startMs = required("StartTime", StartTime) * 1000;
    const endMs = required("EndTime", EndTime) * 1000;
    if (startMs >= endMs) throw refused("The parameter StartTime must be less than the parameter EndTime.");
    if (queries.length === 0) throw refused("The parameter MetricDataQueries is required.");
    if (queries.length > MAX_QUERIES) {
      throw refused(`The collection MetricDataQueries must not have a size greater than ${MAX_QUERIES}.`);
    }
    const byId = new Map(queries.map((query) => [idOf(query), query]));
    if (byId.size < queries.length)
      throw refused("The values for parameter id in MetricDataQueries are not unique.");
    const made = new Map<string, TimeSeries>();

    function seriesOf(id: string): TimeSeries | undefined {
      const query = byId.get(id);
      if (query === undefined) return undefined;
      const series = made.get(id) ?? read(query);
      made.set(id, series);
      return series;
    }

    function read(query: Query): TimeSeries {
      const { MetricStat: stat, Expression: expression } = query;
      if ((stat === undefined) === (expression === undefined)) {
        throw refused(`The query ${query.Id} must have one of MetricStat and Expression.`);
      }
      if (stat !== undefined) {
        const periodMs = periodOf(stat.Period);
        const series = metrics.read(
          nameOf(stat.Metric),
          stat.Stat,
          periodMs,
          alignedTo(periodMs, startMs),
          endMs,
        );
        if (series === undefined)
          throw refused(`The value ${stat.Stat} for parameter Stat is not supported.`);
        return series;
      }
      const instants = instantsOf(periodOf(query.Period ?? 60), startMs, endMs);
      try {
        return evaluate(expression ?? "", { series: seriesOf, instants });
      } catch (error) {
        if (error instanceof AwsError) throw error;
        throw refused(`Error in expression '${query.Id}': ${error instanceof Error ? error.message : error}`);
      }
    }

    const results = queries
      .filter(({ ReturnData = true }) => ReturnData)
      .map((query) => {
        const points = [...(seriesOf(idOf(query)) ?? [])].sort(([a], [b]) => b - a);
        if (ScanBy === "TimestampAscending") points.reverse();
        return {
          Id: query.Id,
          Label: query.Label ?? query.MetricStat?.Metric.MetricName ?? query.Id,
          Timestamps: points.map(([instant]) => instant / 1000),
          Values: points.map(([, value]) => value),
          StatusCode: "Complete",
        };
      });
    return { MetricDataResults: results, Messages: [] };
  },
};

function pointOf(namespace: string, datum: Datum, nowMs: number) {
  const { Timestamp, Value, Values, Counts, StatisticValues, StorageResolution = 60 } = datum;
  const atMs = Timestamp === undefined ? nowMs : Timestamp * 1000;
  if (atMs < nowMs - OLDEST_MS || atMs > nowMs + NEWEST_MS) {
    throw invalid("The parameter Timestamp must not be older than two weeks, or more than two hours ahead.");
  }
  const values = Value === undefined ? (Values ?? []) : [Value];
  if (values.length === 0 && StatisticValues === undefined) {
    throw invalid("The parameter MetricData.member.1.Value is required.");
  }
  if (!values.every(Number.isFinite)) throw invalid("The value NaN for parameter Value is invalid.");
  const resolutionMs = StorageResolution === 1 ? 1_000 : MINUTE_MS;
  return {
    name: nameOf({ ...datum, Namespace: namespace }),
    point: {
      atMs: alignedTo(resolutionMs, atMs),
      values: values.map((value, index) => ({ value, count: Counts?.[index] ?? 1 })),
      ...(StatisticValues === undefined ? {} : { set: StatisticValues }),
    },
  };
}

function nameOf(metric: {
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly Dimension[];
}): MetricName {
  const { Namespace, MetricName, Dimensions = [] } = metric;
  return {
    namespace: required("Namespace", Namespace),
    metric: required("MetricName", MetricName),
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
  };
}

function idOf({ Id = "" }: Query): string {
  if (/^[a-z][a-zA-Z0-9_]*$/.test(Id)) return Id;
  throw refused(
    `The value ${Id} for parameter Id must begin with a lower-case letter, then letters, digits, _.`,
  );
}

function periodOf(seconds: number): number {
  if (FULL_RESOLUTION.includes(seconds) || (seconds > 0 && seconds % 60 === 0)) return seconds * 1000;
  throw refused("The parameter Period must be 1, 5, 10, 20, 30 or a multiple of 60.");
}

function instantsOf(periodMs: number, startMs: number, endMs: number): readonly number[] {
  const first = alignedTo(periodMs, startMs);
  return Array.from(
    { length: Math.ceil((endMs - first) / periodMs) },
    (_, index) => first + index * periodMs,
  );
}

function alignedTo(stepMs: number, instantMs: number): number {
  return Math.floor(instantMs / stepMs) * stepMs;
}

function required<T>(name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new AwsError("MissingParameter", `The parameter ${name} is required.`);
}

function invalid(message: string): AwsError {
  return new AwsError("InvalidParameterValue", message);
}

function refused(message: string): AwsError {
  return new AwsError("ValidationError", message);
}
