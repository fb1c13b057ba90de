import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { queueUrl, REGION } from "#infra/local/aws/names";
import { awsQueueName } from "#infra/local/aws/rendering";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import { TOPOLOGY } from "#infra/topology";
import type { BusPort } from "#ports/bus";
import type { Clock } from "#ports/clock";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import { CliError } from "./exit.ts";

/** Where Mainsheet keeps its state: its table, its queues, its time. */
export interface StateConnection {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly queues: Readonly<Record<string, { readonly fifo: boolean }>>;
  readonly hubs: readonly string[];
  readonly clock: Clock;
  /** Absent where the stack was deployed by a version that does not tell of its bus. */
  readonly bus?: BusPort;
}

/** A local host's, by the `cloud` address that it prints. Its time may run faster than ours, so it is asked for it. */
export async function openLocalState(endpoint: string): Promise<StateConnection> {
  const startMs = await timeAt(endpoint);
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = { endpoint, region: REGION, credentials, maxAttempts: 1 };
  const names = Object.keys(TOPOLOGY.queues);
  const urls = names.map((name) => [name, queueUrl(endpoint, awsQueueName(TOPOLOGY, name))] as const);
  const clock = { nowMs: () => startMs };
  return {
    table: dynamoTable("state", { documents: dynamoDocuments(client), clock }),
    queue: sqsQueue(Object.fromEntries(urls), sqsClient(client)),
    queues: TOPOLOGY.queues,
    hubs: Object.values(LOCAL_HUBS),
    clock,
    bus: eventBridgeBus("mainsheet", eventBridgeClient(client)),
  };
}

async function timeAt(endpoint: string): Promise<number> {
  let date: string | null;
  try {
    date = (await fetch(endpoint, { method: "POST", signal: AbortSignal.timeout(5_000) })).headers.get(
      "date",
    );
  } catch (cause) {
    const { cause: inner, message } = cause as Error & {
      readonly cause?: Error & { readonly code?: string };
    };
    const told = inner?.code ?? inner?.message ?? message;
    const advice = 'give the address that "mainsheet local" prints after "cloud"';
    throw new CliError("environment", `no local host answers at ${endpoint} (${told}); ${advice}`, { cause });
  }
  const ms = Date.parse(date ?? "");
  if (Number.isNaN(ms)) throw new CliError("environment", `${endpoint} is no local host: it tells no time`);
  return ms;
}
