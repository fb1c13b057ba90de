import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { expectFault } from "#test/contract/expect-fault";

/** A service that takes requests and never answers. */
describe.concurrent("a request that hangs ends as `unavailable`, while the invocation still has time (10 s)", () => {
  let server: Server;
  let config: object;
  beforeAll(async () => {
    server = createServer(() => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    config = {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [
      "DynamoDB",
      () =>
        dynamoTable("state", { documents: dynamoDocuments(config) }).get({ pk: "a", sk: "b" }, { nowMs: 0 }),
    ],
    ["SQS", () => sqsQueue({ a: "http://127.0.0.1/0/a" }, sqsClient(config)).send("a", [{ body: "b" }])],
    [
      "EventBridge",
      () =>
        eventBridgeBus("a", eventBridgeClient(config)).put([
          { source: "a", detailType: "b", detail: {}, atMs: 0 },
        ]),
    ],
  ])("%s", async (_service, request) => {
    const startedAt = performance.now();
    await expectFault("unavailable", request());
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });
});
