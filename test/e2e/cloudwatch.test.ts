import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#infra/local/host";
import { KINDS } from "#sim/kinds";
import { parseScenario } from "#sim/scenario/scenario";
import {
  DUPLICATED,
  deploymentDocument,
  policyDocument,
  START_MS,
  scenarioDocument,
} from "#test/unit/sim/small-fleet";

const MINUTE_MS = 60_000;

/** As a user writes it for a stock hub, whose webhook refuses External metrics in the spec (D-17). */
const scaler = {
  apiVersion: "autoscaling.karmada.io/v1alpha1",
  kind: "FederatedHPA",
  metadata: {
    name: "web",
    annotations: {
      "mainsheet.io/cloudwatch": JSON.stringify({
        orders: {
          expression: "visible + running",
          metrics: {
            visible: {
              namespace: "Shop",
              metric: "Visible",
              dimensions: { Queue: "orders" },
              stat: "Maximum",
            },
            running: {
              namespace: "Shop",
              metric: "Running",
              dimensions: { Queue: "orders" },
              stat: "Maximum",
            },
          },
        },
      }),
      "mainsheet.io/external-metrics": JSON.stringify([
        {
          metric: { name: "orders.cloudwatch.mainsheet.io" },
          target: { type: "AverageValue", averageValue: "10" },
        },
      ]),
    },
  },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 1,
    maxReplicas: 10,
    behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
  },
};

describe("External metrics from CloudWatch, on this machine", () => {
  let host: Host | undefined;
  let client: CloudWatchClient | undefined;
  const dataDir = mkdtempSync(join(tmpdir(), "cloudwatch-"));
  afterEach(async () => {
    client?.destroy();
    await host?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("B47: 50 orders at 10 for each pod of a cluster are 3 in each of two; none are 1; silence changes nothing", {
    timeout: 2 * MINUTE_MS,
  }, async () => {
    const scenario = parseScenario([
      scenarioDocument(),
      deploymentDocument(2),
      policyDocument(DUPLICATED),
      scaler,
    ]);
    if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
    const started = await startHost({
      hub: {
        kind: "embedded",
        scenario: scenario.value,
        startMs: START_MS,
        speed: 1_000,
        webhooks: true,
        port: 0,
      },
      dataDir,
      observe: () => {},
      logDecisions: "changes",
    });
    host = started;
    const writer = new CloudWatchClient({
      endpoint: started.aws.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    client = writer;
    const replicas = () =>
      started.fleet?.fleet.hub.store.get(KINDS.deployments, "default", "web")?.spec?.replicas;
    const orders = (visible: number, running: number) =>
      writer.send(
        new PutMetricDataCommand({
          Namespace: "Shop",
          MetricData: [
            ["Visible", visible],
            ["Running", running],
          ].map(([MetricName, Value]) => ({
            MetricName: String(MetricName),
            Value: Number(Value),
            Timestamp: new Date(started.clock.nowMs()),
            Dimensions: [{ Name: "Queue", Value: "orders" }],
          })),
        }),
      );
    const pass = (minutes: number) => started.clock.runUntil(started.clock.nowMs() + minutes * MINUTE_MS);

    await orders(45, 5);
    await pass(2);
    expect(replicas()).toBe(3);

    await orders(0, 0);
    await pass(2);
    expect(replicas()).toBe(1);

    await orders(90, 5);
    await pass(2);
    expect(replicas()).toBe(5);

    // Its newest datapoint is too old now: not knowing is not "no orders".
    await pass(5);
    expect(replicas()).toBe(5);
    const stored = started.fleet?.fleet.hub.store.get(
      { group: "autoscaling.karmada.io", resource: "federatedhpas" },
      "default",
      "web",
    );
    expect(JSON.stringify(stored?.status)).toContain("CloudWatch has no datapoint of visible + running");
  });
});
