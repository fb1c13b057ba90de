import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudWatchClient, PutMetricDataCommand, SetAlarmStateCommand } from "@aws-sdk/client-cloudwatch";
import { PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import type { AwsHostEvent } from "#infra/local/aws-host";
import { type Host, startHost } from "#infra/local/host";
import type { Fleet } from "#sim/fleet";
import { parseScenario } from "#sim/scenario/scenario";
import { eventScenario, nameOf, namespaceOf, setLoad } from "#test/bench/event-fleet";
import { scenarioDocument } from "#test/unit/sim/small-fleet";
import { replayed } from "./replayed.ts";

const START_MS = Date.parse("2026-03-02T08:59:58Z");
const AT = (time: string) => Date.parse(`2026-03-02T${time}Z`);
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

/** One run, whose steps follow each other: between two slots the load jumps, an event comes, the scale is written. */
describe("events in the local host", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "events-"));
  const heard: AwsHostEvent[] = [];
  let host: Host;
  let fleet: Fleet;
  let put: (bus: string, source: string, detailType: string, detail: object) => Promise<void>;
  const closers: (() => void)[] = [];

  beforeAll(async () => {
    host = await startHost({
      hub: {
        ...{ kind: "embedded", startMs: START_MS, speed: 10_000, webhooks: false, port: 0 },
        scenario: eventScenario(4, START_MS),
      },
      dataDir,
      logDecisions: "changes",
      eventMappings: [
        {
          name: "orders",
          pattern: { source: ["shop"], detail: { size: [{ numeric: [">", 100] }] } },
          evaluate: {
            hub: "local",
            target: { apiVersion: "apps/v1", kind: "Deployment", namespace: namespaceOf(2), name: nameOf(2) },
          },
        },
      ],
      observe: (event) => heard.push(event),
    });
    fleet = (host.fleet as NonNullable<Host["fleet"]>).fleet;
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const client = eventBridgeClient({ endpoint: host.aws.endpoint, region: "us-east-1", credentials });
    closers.push(() => client.destroy());
    put = async (EventBusName, Source, DetailType, detail) => {
      const Entries = [{ EventBusName, Source, DetailType, Detail: JSON.stringify(detail) }];
      expect(await client.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
    };
    await host.clock.runUntil(AT("09:00:02"));
  }, 120_000);
  afterAll(async () => {
    for (const close of closers) close();
    await host?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const replicas = (i: number) =>
    fleet.hub.store.get({ group: "apps", resource: "deployments" }, namespaceOf(i), nameOf(i))?.spec
      ?.replicas;
  const published = (detailType: string) =>
    heard.flatMap((each) =>
      each.kind === "bus" && each.event["detail-type"] === detailType
        ? [{ bus: each.bus, ...each.event }]
        : [],
    );

  it("a request on the bus: scaled before the next slot, and told", async () => {
    setLoad(fleet, 0, 3, host.clock.nowMs());
    const detail = { v: 1, hub: "local", namespace: namespaceOf(0), name: nameOf(0) };
    await put("mainsheet", "mainsheet", "ReconcileRequested", detail);
    await host.clock.runUntil(AT("09:00:05"));
    expect(replicas(0)).toBe(3);
    expect(published("ScaleDecided")).toMatchObject([
      {
        bus: "mainsheet",
        detail: { name: nameOf(0), before: 2, after: 3, clusters: { member1: 2, member2: 2 } },
      },
    ]);
  });

  it("any event that a rule of the user's maps", async () => {
    setLoad(fleet, 2, 3, host.clock.nowMs());
    await put("default", "shop", "OrderPlaced", { size: 7 });
    await host.clock.runUntil(AT("09:00:08"));
    expect(replicas(2)).toBe(2);
    await put("default", "shop", "OrderPlaced", { size: 700 });
    await host.clock.runUntil(AT("09:00:11"));
    expect(replicas(2)).toBe(3);
  });

  it("a CloudWatch alarm that the FederatedHPA names, over the account's own bus", async () => {
    const type = fleet.hub.catalogue.findKind("autoscaling.karmada.io/v1alpha1", "FederatedHPA");
    const annotations = { "mainsheet.io/alarms": "orders-deep" };
    const key = { namespace: namespaceOf(1), name: nameOf(1) };
    fleet.hub.patch(
      type as NonNullable<typeof type>,
      key,
      { type: "merge", body: { metadata: { annotations } } },
      { nowMs: host.clock.nowMs() },
    );
    await host.clock.runUntil(AT("09:00:17"));
    setLoad(fleet, 1, 3, host.clock.nowMs());
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const alarms = new CloudWatchClient({ endpoint: host.aws.endpoint, region: "us-east-1", credentials });
    closers.push(() => alarms.destroy());
    const state = { AlarmName: "orders-deep", StateValue: "ALARM", StateReason: "a test" } as const;
    await alarms.send(new SetAlarmStateCommand(state));
    await alarms.send(new SetAlarmStateCommand(state));
    await host.clock.runUntil(AT("09:00:20"));
    expect(replicas(1)).toBe(3);
    expect(
      published("CloudWatch Alarm State Change")
        .map(({ bus }) => bus)
        .sort(),
    ).toEqual(["default", "mainsheet"]);
  });

  it("what nobody can read is parked, what nobody knows is passed over, and no function failed", async () => {
    await put("mainsheet", "mainsheet", "ReconcileRequested", { v: 1, hub: "local" });
    await put("mainsheet", "shop", "OrderPlaced", {});
    await host.clock.runUntil(AT("09:00:25"));
    const lines = heard.flatMap((each) =>
      each.kind === "log" && each.line.startsWith("{") ? [each.line] : [],
    );
    expect(lines.filter((line) => line.includes("message parked"))).toHaveLength(1);
    expect(heard.filter((each) => each.kind === "invocation" && each.failure !== undefined)).toEqual([]);
    expect(host.aws.statistics().queues.route).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it("and without events nothing was scaled between slots", () => {
    expect(replicas(3)).toBe(2);
    const about = published("ScaleDecided").map(({ detail }) => (detail as { name: string }).name);
    expect(about.sort()).toEqual([nameOf(0), nameOf(1), nameOf(2)]);
  });

  it("every decision on record, also those between slots, is decided again to the same bytes", async () => {
    expect(new Set(await replayed(host))).toEqual(new Set(["same"]));
  });
});

describe("docs/examples/queue-driven.yaml", () => {
  it("240 orders wait, the alarm goes off: eight workers before the next slot", async () => {
    const documents = parseAllDocuments(readFileSync("docs/examples/queue-driven.yaml", "utf8"));
    const parsed = parseScenario([scenarioDocument(), ...documents.map((each) => each.toJS())]);
    if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
    const dataDir = mkdtempSync(join(tmpdir(), "queue-driven-"));
    const { startMs } = parsed.value;
    const host = await startHost({
      hub: { kind: "embedded", scenario: parsed.value, startMs, speed: 10_000, webhooks: true, port: 0 },
      dataDir,
      logDecisions: "changes",
      observe: () => {},
    });
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const cloudWatch = new CloudWatchClient({
      endpoint: host.aws.endpoint,
      region: "us-east-1",
      credentials,
    });
    const waiting = (Value: number) =>
      cloudWatch.send(
        new PutMetricDataCommand({
          Namespace: "Shop",
          MetricData: [{ MetricName: "OrdersWaiting", Value, StorageResolution: 1 }],
        }),
      );
    const workers = () =>
      host.fleet?.fleet.hub.store.get({ group: "apps", resource: "deployments" }, "default", "orders-worker")
        ?.spec?.replicas;
    try {
      await host.clock.runUntil(startMs + 2_000);
      await waiting(20);
      // The slot at 15 s sees the annotation, and 20 orders.
      await host.clock.runUntil(startMs + 18_000);
      expect(workers()).toBe(1);
      await waiting(240);
      // Ten seconds are one period of the metric and of the alarm.
      await host.clock.runUntil(startMs + 20_500);
      const state = { AlarmName: "orders-waiting", StateValue: "ALARM", StateReason: "240 > 60" } as const;
      await cloudWatch.send(new SetAlarmStateCommand(state));
      await host.clock.runUntil(startMs + 22_000);
      expect(workers()).toBe(8);
      expect(new Set(await replayed(host))).toEqual(new Set(["same"]));
    } finally {
      cloudWatch.destroy();
      await host.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});
