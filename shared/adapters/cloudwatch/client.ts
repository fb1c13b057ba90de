import {
  CloudWatchClient,
  type CloudWatchClientConfig,
  GetMetricDataCommand,
} from "@aws-sdk/client-cloudwatch";
import type { GetMetricData } from "./external-metrics.ts";

/** The one CloudWatch client of an environment, as far as it reads. */
export function metricData(overrides: CloudWatchClientConfig = {}): GetMetricData {
  const client = new CloudWatchClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...overrides,
  });
  return (input) => client.send(new GetMetricDataCommand(input));
}
