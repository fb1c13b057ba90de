import { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { metricData } from "#adapters/cloudwatch/client";
import { cloudWatchMetrics } from "#adapters/cloudwatch/external-metrics";
import { awsEndpoint } from "#test/contract/aws-endpoint";
import { externalMetricsContract } from "#test/contract/external-metrics.contract";

const MINUTE_MS = 60_000;

externalMetricsContract("CloudWatch over HTTP", async () => {
  const aws = await awsEndpoint();
  const writer = new CloudWatchClient({ ...aws.client, endpoint: aws.endpoint });
  return {
    port: cloudWatchMetrics(metricData({ ...aws.client, maxAttempts: 1 })),
    nowMs: () => aws.clock.nowMs(),
    query: (name) => ({
      namespace: "shop",
      name: `${name}.cloudwatch.mainsheet.io`,
      selector: "",
      definition: { namespace: "Shop", metric: name },
    }),
    async put(values) {
      // A datapoint counts once its minute is over.
      const Timestamp = new Date(aws.clock.nowMs() - MINUTE_MS);
      const MetricData = Object.entries(values).map(([MetricName, Value]) => ({
        MetricName,
        Value,
        Timestamp,
      }));
      await writer.send(new PutMetricDataCommand({ Namespace: "Shop", MetricData }));
    },
    refused: {
      namespace: "shop",
      name: "refused.cloudwatch.mainsheet.io",
      selector: "",
      definition: { expression: "SUM(", metrics: { m1: { namespace: "Shop", metric: "orders" } } },
    },
    cut: () => aws.proxy.intercept(() => ({ forward: false, lose: true })),
    requests: () => aws.proxy.calls.get("GetMetricData") ?? 0,
    async close() {
      writer.destroy();
      await aws.close();
    },
  };
});
