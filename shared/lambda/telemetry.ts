import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import {
  MEASURES,
  type MeasureDimensions,
  type MeasureName,
  SERVICE,
  type Telemetry,
} from "#ports/telemetry";

/** Measures of one invocation, written to its log when it ends; CloudWatch makes metrics of such lines by itself. */
export interface LogTelemetry extends Telemetry {
  /** Writes what was recorded since the last time: one line per combination of dimensions. */
  flush(): void;
}

const UNITS = { Count: MetricUnit.Count, Milliseconds: MetricUnit.Milliseconds } as const;

/** METRICS_NAMESPACE: the CloudWatch namespace, `Mainsheet` if not set, so that two stacks in an account stay apart. */
export function logTelemetry(env: NodeJS.ProcessEnv): LogTelemetry {
  const namespace = env.METRICS_NAMESPACE || "Mainsheet";
  const pending = new Map<string, Metrics>();

  function metricsOf(dimensions: MeasureDimensions): Metrics {
    const key = JSON.stringify(dimensions);
    const metrics =
      pending.get(key) ??
      new Metrics({ namespace, serviceName: SERVICE, defaultDimensions: { ...dimensions } });
    pending.set(key, metrics);
    return metrics;
  }

  return {
    record(dimensions, values) {
      const metrics = metricsOf(dimensions);
      for (const [name, value] of Object.entries(values)) {
        metrics.addMetric(name, UNITS[MEASURES[name as MeasureName]], value);
      }
    },
    flush() {
      for (const metrics of pending.values()) metrics.publishStoredMetrics();
      pending.clear();
    },
  };
}
