import type { GetMetricDataCommandInput, MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import type { CloudWatchQuery, CloudWatchStatistic } from "#wire/cloudwatch-query";

/** GetMetricData takes so many entries; an expression's metrics are entries beside it. */
export const MAX_ENTRIES = 500;
/** A datapoint of the last so many whole periods is new enough. */
export const FRESH_PERIODS = 3;

/** Queries of one period that fit into one request. */
export type Batch = readonly [CloudWatchQuery, ...CloudWatchQuery[]];

/** Queries by their period, in requests of at most 500 entries. */
export function batchesOf(queries: readonly CloudWatchQuery[]): readonly Batch[] {
  const open = new Map<number, { batch: [CloudWatchQuery, ...CloudWatchQuery[]]; entries: number }>();
  const full: Batch[] = [];
  for (const query of queries) {
    const entries = entriesOf(query);
    const current = open.get(query.periodSeconds);
    if (current !== undefined && current.entries + entries <= MAX_ENTRIES) {
      current.batch.push(query);
      current.entries += entries;
      continue;
    }
    if (current !== undefined) full.push(current.batch);
    open.set(query.periodSeconds, { batch: [query], entries });
  }
  return [...full, ...[...open.values()].map(({ batch }) => batch)];
}

export function entriesOf({ statistics, expression }: CloudWatchQuery): number {
  return Object.keys(statistics).length + (expression === undefined ? 0 : 1);
}

/** The whole periods that may hold the newest datapoint: the last three that have ended, [from, to). */
export function freshWindow(
  periodSeconds: number,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const periodMs = periodSeconds * 1000;
  const toMs = Math.floor(nowMs / periodMs) * periodMs;
  return { fromMs: toMs - FRESH_PERIODS * periodMs, toMs };
}

/** The request for a batch, newest datapoints first. The answer to the query at an index has the id `resultId(index)`. */
export function requestFor(batch: Batch, nowMs: number): GetMetricDataCommandInput {
  const { fromMs, toMs } = freshWindow(batch[0].periodSeconds, nowMs);
  return {
    StartTime: new Date(fromMs),
    EndTime: new Date(toMs),
    ScanBy: "TimestampDescending",
    MetricDataQueries: batch.flatMap((query, index) => dataQueries(query, resultId(index))),
  };
}

export function resultId(index: number): string {
  return `q${index}`;
}

function dataQueries(query: CloudWatchQuery, id: string): readonly MetricDataQuery[] {
  const { statistics, expression, periodSeconds } = query;
  const names = Object.keys(statistics);
  if (expression === undefined) {
    return Object.values(statistics).map((one) => ({ Id: id, MetricStat: metricStat(one, periodSeconds) }));
  }
  const prefix = `${id}_`;
  return [
    { Id: id, Expression: renamed(expression, new Set(names), prefix), Period: periodSeconds },
    ...Object.entries(statistics).map(([name, one]) => ({
      Id: `${prefix}${name}`,
      MetricStat: metricStat(one, periodSeconds),
      ReturnData: false,
    })),
  ];
}

/** Ids are the request's, so each query's own get its prefix; what stands in quotes is no id. */
function renamed(expression: string, names: ReadonlySet<string>, prefix: string): string {
  return expression.replaceAll(/"[^"]*"|'[^']*'|(?<![\w.])[A-Za-z_]\w*/g, (word) =>
    names.has(word) ? `${prefix}${word}` : word,
  );
}

function metricStat({ namespace, metric, dimensions, stat }: CloudWatchStatistic, periodSeconds: number) {
  return {
    Metric: {
      Namespace: namespace,
      MetricName: metric,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    },
    Period: periodSeconds,
    Stat: stat,
  };
}
