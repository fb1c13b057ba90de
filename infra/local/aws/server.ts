/**
 * One loopback port that answers as SQS, EventBridge, DynamoDB, CloudWatch and Secrets Manager do: SDK clients need only
 * AWS_ENDPOINT_URL.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Clock } from "#ports/clock";
import type { Alarms } from "./cloudwatch/alarms.ts";
import { CLOUDWATCH_OPERATIONS } from "./cloudwatch/api.ts";
import type { Metrics } from "./cloudwatch/metrics.ts";
import { AwsError } from "./error.ts";
import type { Buses, PutEventsEntry } from "./events/buses.ts";
import { SQS_OPERATIONS } from "./sqs/api.ts";
import type { Queues } from "./sqs/queues.ts";
import type { Tables } from "./tables.ts";

export interface AwsServices {
  readonly clock: Clock;
  readonly queues: Queues;
  readonly buses: Buses;
  readonly tables: Tables;
  readonly metrics: Metrics;
  readonly alarms: Alarms;
  /** Texts by the ids that they are asked by. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Told of every request before it is answered. */
  readonly observe?: (call: AwsCall) => void;
}

export interface AwsCall {
  /** As IAM names it: `dynamodb`. */
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
  /** The function that calls; absent for whoever is none. */
  readonly caller?: string;
}

export interface AwsServer {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** IAM's names of the services by theirs in requests. */
const SERVICES: Readonly<Record<string, string>> = {
  DynamoDB_20120810: "dynamodb",
  AmazonSQS: "sqs",
  AWSEvents: "events",
  GraniteServiceVersion20100801: "cloudwatch",
  secretsmanager: "secretsmanager",
};

/** Starts to listen on the port (0: any free one), for this machine only. */
export async function serveAws(services: AwsServices, port = 0): Promise<AwsServer> {
  const server = createServer((request, response) => {
    // Clients compare it with their own clock, which is the virtual one.
    response.setHeader("Date", new Date(services.clock.nowMs()).toUTCString());
    answer(services, endpointOf(server), request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return;
      fail(response, asAwsError(error));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((cause) => {
    throw new Error(`the port ${port} cannot be listened on (${cause.code}); choose another`, { cause });
  });
  return {
    endpoint: endpointOf(server),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { queues, buses, tables, metrics, alarms, secrets = {}, observe }: AwsServices,
  endpoint: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const target = String(request.headers["x-amz-target"] ?? "");
  const [name = "", operation = ""] = target.split(".");
  const service = SERVICES[name];
  if (service === "dynamodb" && observe === undefined) {
    tables.handle(request.headers, body, response);
    return;
  }
  // SDKs compress large metric data.
  const input = parse(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
  observe?.({ service: service ?? name, operation, input, ...callerOf(request) });
  if (service === "dynamodb") tables.handle(request.headers, body, response);
  else if (service === "sqs") {
    const work = SQS_OPERATIONS[operation];
    if (work === undefined) throw unknownOperation(target);
    send(response, 200, await work({ queues, endpoint }, input));
  } else if (service === "cloudwatch" && operation === "SetAlarmState") {
    send(response, 200, alarms.setState(input));
  } else if (service === "cloudwatch") {
    const work = CLOUDWATCH_OPERATIONS[operation];
    if (work === undefined) throw unknownOperation(target);
    send(response, 200, work(metrics, input));
  } else if (target === "AWSEvents.PutEvents") {
    send(response, 200, buses.putEvents((input as { Entries?: PutEventsEntry[] }).Entries ?? []));
  } else if (target === "secretsmanager.GetSecretValue") {
    send(response, 200, secretValue(secrets, (input as { SecretId?: string }).SecretId ?? ""));
  } else throw unknownOperation(target);
}

/** The functions' SDK clients name their function in the User-Agent, as AWS_SDK_UA_APP_ID tells them; Powertools adds to it. */
function callerOf({ headers }: IncomingMessage): { caller?: string } {
  const caller = /\bapp\/([\w-]+?)(?:-PT-|\s|$)/.exec(String(headers["user-agent"]))?.[1];
  return caller === undefined ? {} : { caller };
}

function secretValue(secrets: Readonly<Record<string, string>>, id: string): object {
  const text = secrets[id];
  if (text !== undefined) return { Name: id, SecretString: text };
  throw new AwsError("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
}

function parse(body: Buffer): object {
  try {
    return JSON.parse(body.toString("utf8")) as object;
  } catch {
    throw new AwsError("SerializationException", "The request body is not JSON.");
  }
}

function unknownOperation(target: string): AwsError {
  return new AwsError(
    "UnknownOperationException",
    `This machine does not play ${target || "a request without X-Amz-Target"}.`,
  );
}

function asAwsError(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  return new AwsError(
    "InternalFailure",
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    500,
  );
}

function fail(response: ServerResponse, { code, message, status }: AwsError): void {
  response.setHeader("x-amzn-query-error", `${code};${status < 500 ? "Sender" : "Receiver"}`);
  send(response, status, { __type: `com.amazonaws#${code}`, message });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/x-amz-json-1.0",
    "Content-Length": Buffer.byteLength(text),
    "x-amzn-RequestId": randomUUID(),
  });
  response.end(text);
}

function endpointOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
