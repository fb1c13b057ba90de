/**
 * DynamoDB on this machine: dynalite over a LevelDB folder, called inside this process.
 *
 * LevelDB hands a write to the operating system before it is acknowledged, so what was acknowledged survives `kill -9`.
 * Differs from DynamoDB: no transactions, and nothing is ever deleted by TTL (readers filter, B96).
 */
import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import dynalite from "dynalite";

export interface TableConfig {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** The attribute whose epoch seconds say when an item expires. */
  readonly ttl: string;
}

export interface Tables {
  /** Answers one DynamoDB request whose body has been read. */
  handle(headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void;
  close(): Promise<void>;
}

const PREFIX = "DynamoDB_20120810.";

/** Opens the store and makes the tables that it lacks. Absent path: in memory. */
export async function openTables(configs: readonly TableConfig[], path?: string): Promise<Tables> {
  let store = await openStore(path);
  if (path !== undefined && (await hasUnfinished(store, configs))) {
    // Killed in the moment of its creation: it has never taken an item, and dynalite would never finish it.
    await closeStore(store);
    await rm(path, { recursive: true, force: true });
    store = await openStore(path);
  }
  for (const config of configs) await createTable(store, config);

  const atWork = new Set<Promise<void>>();
  return {
    handle(headers, body, response) {
      const operation = String(headers["x-amz-target"]).slice(PREFIX.length);
      if (operation.endsWith("TimeToLive")) {
        answerTimeToLive(operation, body, configs, response);
        return;
      }
      const work = forward(store, headers, body, response).finally(() => atWork.delete(work));
      atWork.add(work);
    },
    async close() {
      await Promise.all(atWork);
      await closeStore(store);
    },
  };
}

/**
 * Lets dynalite answer copies of request and response, until it is done: it ends this process when the original
 * connection breaks, or when its store is closed while it works.
 */
function forward(
  store: Server,
  headers: IncomingHttpHeaders,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  return new Promise((done) => {
    const request = Object.assign(Readable.from([body], { objectMode: false }), {
      headers,
      method: "POST",
      url: "/",
    });
    const answer = {
      statusCode: 200,
      setHeader: (name: string, value: string) => response.setHeader(name, value),
      end(text: string) {
        response.statusCode = answer.statusCode;
        response.end(text);
        done();
      },
    };
    store.emit("request", request, answer);
  });
}

/** dynalite closes its store only together with a listening port, so it gets one that nobody else is told. */
async function openStore(path: string | undefined): Promise<Server> {
  const server = dynalite({ ...(path !== undefined && { path }), createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function closeStore(store: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    store.close(() => resolve());
    store.closeAllConnections();
  });
}

async function hasUnfinished(store: Server, configs: readonly TableConfig[]): Promise<boolean> {
  const statuses = await Promise.all(configs.map((config) => tableStatus(store, config.name)));
  return statuses.includes("CREATING");
}

async function createTable(store: Server, { name, partitionKey, sortKey }: TableConfig): Promise<void> {
  if ((await tableStatus(store, name)) === "ACTIVE") return;
  await call(store, "CreateTable", {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [partitionKey, sortKey].map((key) => ({ AttributeName: key, AttributeType: "S" })),
    KeySchema: [
      { AttributeName: partitionKey, KeyType: "HASH" },
      { AttributeName: sortKey, KeyType: "RANGE" },
    ],
  });
  while ((await tableStatus(store, name)) !== "ACTIVE") await sleep(1);
}

async function tableStatus(store: Server, name: string): Promise<string | undefined> {
  const answer = await call(store, "DescribeTable", { TableName: name });
  return (answer as { Table?: { TableStatus?: string } }).Table?.TableStatus;
}

async function call(store: Server, operation: string, input: object): Promise<unknown> {
  const { port } = store.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": PREFIX + operation,
      "x-amz-date": "20261130T000000Z",
      authorization: "AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none",
      connection: "close",
    },
    body: JSON.stringify(input),
  });
  return response.json();
}

/** What dynalite lacks: the cloud's tables have TTL enabled, and these say the same. */
function answerTimeToLive(
  operation: string,
  body: Buffer,
  configs: readonly TableConfig[],
  response: ServerResponse,
): void {
  const { TableName, TimeToLiveSpecification } = JSON.parse(body.toString("utf8"));
  const config = configs.find((each) => each.name === TableName);
  response.setHeader("Content-Type", "application/x-amz-json-1.0");
  if (config === undefined) {
    response.statusCode = 400;
    response.end(
      JSON.stringify({
        __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
        message: `Requested resource not found: Table: ${TableName} not found`,
      }),
    );
  } else if (operation === "UpdateTimeToLive") {
    response.end(JSON.stringify({ TimeToLiveSpecification }));
  } else {
    const TimeToLiveDescription = { TimeToLiveStatus: "ENABLED", AttributeName: config.ttl };
    response.end(JSON.stringify({ TimeToLiveDescription }));
  }
}
