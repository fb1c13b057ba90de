import { Alarms } from "#infra/local/aws/cloudwatch/alarms";
import { Metrics } from "#infra/local/aws/cloudwatch/metrics";
import { Buses, type BusRule } from "#infra/local/aws/events/buses";
import type { EventEnvelope } from "#infra/local/aws/events/envelope";
import { serveAws } from "#infra/local/aws/server";
import { Queues } from "#infra/local/aws/sqs/queues";
import { openTables } from "#infra/local/aws/tables";
import { virtualClock } from "#infra/local/clock";
import { type FaultyProxy, faultyProxy } from "#test/contract/faulty-proxy";

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

export const START_MS = Date.parse("2026-11-30T12:00:00Z");

/** An embedded AWS in memory behind a faulty proxy, on a clock that moves only when told. */
export interface AwsEndpoint {
  /** Without the proxy. */
  readonly endpoint: string;
  readonly proxy: FaultyProxy;
  readonly queues: Queues;
  readonly events: { readonly bus: string; readonly event: EventEnvelope }[];
  readonly clock: { nowMs(): number; advance(ms: number): Promise<void> };
  /** For any SDK client: it talks to the proxy, and waits for it while the machine is busy. */
  readonly client: {
    readonly requestHandler: { readonly connectionTimeout: number; readonly requestTimeout: number };
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  url(queue: string): string;
  close(): Promise<void>;
}

export const TABLE = "state";

export async function awsEndpoint(rules: readonly BusRule[] = []): Promise<AwsEndpoint> {
  const clock = virtualClock({ startMs: START_MS });
  const events: { bus: string; event: EventEnvelope }[] = [];
  const queues = new Queues({
    clock,
    configs: [
      { name: "standard", visibilitySeconds: 60, redrive: { deadLetters: "dead", maxReceives: 3 } },
      { name: "dead", visibilitySeconds: 60 },
      { name: "ordered.fifo", visibilitySeconds: 60 },
    ],
  });
  const buses = new Buses({
    names: ["mainsheet"],
    rules,
    clock,
    observe: (event, bus) => events.push({ bus, event }),
  });
  const tables = await openTables([{ name: TABLE, partitionKey: "pk", sortKey: "sk", ttl: "ttl" }]);
  const server = await serveAws({
    clock,
    queues,
    buses,
    tables,
    metrics: new Metrics(clock),
    alarms: new Alarms(buses, clock),
  });
  const proxy = await faultyProxy(server.endpoint);
  return {
    endpoint: server.endpoint,
    proxy,
    queues,
    events,
    clock: { nowMs: () => clock.nowMs(), advance: (ms) => clock.runUntil(clock.nowMs() + ms) },
    client: {
      requestHandler: { connectionTimeout: 15_000, requestTimeout: 15_000 },
      endpoint: proxy.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    },
    url: (queue) => `${proxy.endpoint}/000000000000/${queue}`,
    async close() {
      await proxy.close();
      await server.close();
      await tables.close();
      queues.close();
    },
  };
}
