import { Duration } from "aws-cdk-lib";
import { Metric, Unit } from "aws-cdk-lib/aws-cloudwatch";
import { MEASURES, type MeasureDimensions, type MeasureName, SERVICE } from "#ports/telemetry";

export interface MeasureOptions {
  readonly namespace: string;
  readonly statistic: string;
  /** Default: a minute. */
  readonly period?: Duration;
  readonly label?: string;
}

const UNITS = { Count: Unit.COUNT, Milliseconds: Unit.MILLISECONDS } as const;

/** The CloudWatch metric behind a measure, as the functions write it. */
export function measureMetric(
  measure: MeasureName,
  dimensions: MeasureDimensions,
  { namespace, statistic, period = Duration.minutes(1), label }: MeasureOptions,
): Metric {
  return new Metric({
    namespace,
    metricName: measure,
    dimensionsMap: { service: SERVICE, ...dimensions },
    statistic,
    period,
    unit: UNITS[MEASURES[measure]],
    ...(label === undefined ? {} : { label }),
  });
}
