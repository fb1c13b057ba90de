import type { MetricDataResult } from "@aws-sdk/client-cloudwatch";
import type { Read, ReadFaultCode } from "#domain/fleet/snapshot";
import { type MilliValue, milliValue } from "#domain/units/milli";
import type { ExternalValue } from "#ports/external-metrics";
import type { CloudWatchQuery } from "#wire/cloudwatch-query";
import { FRESH_PERIODS, freshWindow } from "./request.ts";

/**
 * The newest datapoint of a query among its results, which may come on several pages. Its instant is the end of its
 * period.
 */
export function newestOf(
  query: CloudWatchQuery,
  results: readonly MetricDataResult[],
  nowMs: number,
): Read<ExternalValue> {
  if (new Set(results.map(({ Label }) => Label)).size > 1) {
    return refuse("metric-unreadable", `${nameOf(query)} makes several series; make one of them with SUM()`);
  }
  const { fromMs, toMs } = freshWindow(query.periodSeconds, nowMs);
  const points = results
    .flatMap(({ Timestamps = [], Values = [] }) =>
      Timestamps.map((instant, index) => ({ atMs: instant.getTime(), value: Values[index] ?? Number.NaN })),
    )
    .filter(({ atMs, value }) => atMs >= fromMs && atMs < toMs && Number.isFinite(value))
    .sort((a, b) => b.atMs - a.atMs);
  const [newest] = points;
  if (newest === undefined) return noneOf(query, results);
  return {
    ok: true,
    value: { milliValue: toMilli(newest.value), timestampMs: newest.atMs + query.periodSeconds * 1000 },
  };
}

function noneOf(query: CloudWatchQuery, results: readonly MetricDataResult[]): Read<never> {
  const failed = results.find(
    ({ StatusCode }) => StatusCode === "InternalError" || StatusCode === "Forbidden",
  );
  if (failed !== undefined) {
    const said = failed.Messages?.map(({ Value }) => Value).join("; ") ?? "";
    return refuse(
      "metric-unreadable",
      `${nameOf(query)}: ${failed.StatusCode}${said === "" ? "" : `: ${said}`}`,
    );
  }
  const periods = `the last ${FRESH_PERIODS} periods of ${query.periodSeconds} s`;
  return refuse("metric-empty", `CloudWatch has no datapoint of ${nameOf(query)} in ${periods}`);
}

/** `AWS/SQS ApproximateAgeOfOldestMessage{QueueName=orders}`, or the expression. */
export function nameOf({ statistics, expression }: CloudWatchQuery): string {
  const [one] = Object.values(statistics);
  if (expression !== undefined || one === undefined) return expression ?? "";
  const dimensions = Object.entries(one.dimensions).map(([name, value]) => `${name}=${value}`);
  return `${one.namespace} ${one.metric}{${dimensions.join(",")}}`;
}

/** Thousandths, rounded up; what is below a billionth is a double's noise. */
export function toMilli(value: number): MilliValue {
  const whole = Math.trunc(value);
  const nano = Math.round((value - whole) * 1e9);
  return milliValue(BigInt(whole) * 1000n + BigInt(Math.ceil(nano / 1e6)));
}

function refuse(code: ReadFaultCode, message: string): Read<never> {
  return { ok: false, fault: { code, message } };
}
