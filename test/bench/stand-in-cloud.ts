import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RELAY } from "#wire/keys";

export interface StandInCloud {
  /** The whole environment of a function that is to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the Runtime API hands out. */
  nextEvent(event: object): void;
  close(): void;
}

/**
 * AWS and a hub on one loopback port: they take everything and have nothing. But for a relay's second checkpoint, as if
 * another relay had taken over: so its turn ends when it has the lease, has listed, and has written what there is.
 */
export async function standInCloud(): Promise<StandInCloud> {
  const held: Held = { kubeconfig: "", next: {}, checkpoints: 0 };
  const server = createServer((request, response) => {
    answer(held, request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  held.kubeconfig = JSON.stringify({
    "current-context": "hub",
    contexts: [{ name: "hub", context: { cluster: "hub", user: "me" } }],
    clusters: [{ name: "hub", cluster: { server: url } }],
    users: [{ name: "me", user: { token: "t" } }],
  });
  return {
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_LAMBDA_RUNTIME_API: url.replace("http://", ""),
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "none",
      AWS_SECRET_ACCESS_KEY: "none",
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      TABLE_STATE: "state",
      BUS_MAINSHEET: "mainsheet",
      QUEUE_SWEEP: `${url}/000000000000/sweep`,
      QUEUE_CRON: `${url}/000000000000/cron`,
      QUEUE_ROUTE: `${url}/000000000000/route`,
      QUEUE_RECONCILE: `${url}/000000000000/reconcile.fifo`,
      MAINSHEET_HUBS: JSON.stringify([
        { name: "hub", kubeconfig: { secret: "hub" }, mode: "active", relay: true },
      ]),
    },
    nextEvent(event) {
      held.next = event;
      held.checkpoints = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Held {
  kubeconfig: string;
  next: object;
  /** Since the event. */
  checkpoints: number;
}

async function answer(held: Held, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const target = request.headers["x-amz-target"];
  const body = Buffer.concat(chunks).toString("utf8");
  const result: object = request.url?.startsWith("/2018-06-01/runtime/")
    ? held.next
    : target === undefined
      ? { metadata: { resourceVersion: "1" }, items: [] }
      : awsAnswer(held, String(target).split(".")[1] ?? "", body === "" ? {} : JSON.parse(body));
  if ("__type" in result) response.statusCode = 400;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(result));
}

interface AwsInput {
  readonly Item?: { readonly sk?: { readonly S: string } };
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody: string }[];
}

function awsAnswer(held: Held, operation: string, { Entries = [], Item }: AwsInput): object {
  switch (operation) {
    case "GetSecretValue":
      return { SecretString: held.kubeconfig };
    case "PutItem":
      if (Item?.sk?.S === RELAY) held.checkpoints += 1;
      return held.checkpoints > 1 ? { __type: "ConditionalCheckFailedException" } : {};
    case "SendMessageBatch":
      return {
        Failed: [],
        // The SDK compares the digest with what it sent.
        Successful: Entries.map(({ Id, MessageBody }) => ({
          Id,
          MessageId: Id,
          MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex"),
        })),
      };
    case "BatchGetItem":
      return { Responses: {}, UnprocessedKeys: {} };
    default:
      return {};
  }
}
