import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { type AwsEndpoint, awsEndpoint } from "#test/contract/aws-endpoint";
import { expectFault } from "#test/contract/expect-fault";
import { first, type Intercept, refusal } from "#test/contract/faulty-proxy";
import { queueContract } from "#test/contract/queue.contract";

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

queueContract("SQS over HTTP", async () => {
  const aws = await awsEndpoint();
  const client = sqsClient({ ...aws.client, maxAttempts: 1 });
  const urls = { standard: aws.url("standard"), ordered: aws.url("ordered.fifo") };
  return {
    queue: sqsQueue(urls, client),
    clock: aws.clock,
    take(name) {
      const of = name === "ordered" ? "ordered.fifo" : name;
      const taken = [];
      for (;;) {
        const batch = aws.queues.receive(of, 10);
        if (batch.length === 0) return taken;
        taken.push(...batch.map(({ message }) => message));
        aws.queues.delete(
          of,
          batch.map(({ receiptHandle }) => receiptHandle),
        );
      }
    },
    refuse: (bodies, times) => aws.proxy.intercept(failingEntries(bodies, times)),
    loseAnswer: () => aws.proxy.intercept(first(1, "SendMessageBatch", { lose: true })),
    throttle: () => aws.proxy.intercept(() => refusal("RequestThrottled")),
    cut: () => aws.proxy.intercept(() => ({ forward: false, lose: true })),
    async close() {
      client.destroy();
      await aws.close();
    },
  };
});

/** A service that answers 200 and fails some entries (B91). */
function failingEntries(bodies: readonly string[], times: number): Intercept {
  const left = new Map(bodies.map((body) => [body, times]));
  return (operation, input) => {
    if (operation !== "SendMessageBatch") return undefined;
    const entries = input.Entries as Entry[];
    const failing = entries.filter(({ MessageBody: body }) => {
      const count = left.get(body) ?? 0;
      left.set(body, count - 1);
      return count > 0;
    });
    const passing = entries.filter((entry) => !failing.includes(entry));
    return {
      forward: passing.length === 0 ? false : { ...input, Entries: passing },
      answer: (output) => ({
        ...output,
        Failed: failing.map(({ Id }) => ({
          Id,
          SenderFault: false,
          Code: "InternalError",
          Message: "refused by the test",
        })),
      }),
    };
  };
}

describe("SQS, beside the contract", () => {
  let aws: AwsEndpoint;
  let client: ReturnType<typeof sqsClient>;
  beforeAll(async () => {
    aws = await awsEndpoint();
    client = sqsClient({ ...aws.client, maxAttempts: 1 });
  });
  afterEach(() => aws.proxy.intercept(() => undefined));
  afterAll(async () => {
    client.destroy();
    await aws.close();
  });

  it("sends only the entries that failed again, in one batch", async () => {
    const sent: string[][] = [];
    const fail = failingEntries(["b", "d"], 1);
    aws.proxy.intercept((operation, input) => {
      sent.push((input.Entries as Entry[]).map(({ MessageBody: body }) => body));
      return fail(operation, input);
    });
    const messages = ["a", "b", "c", "d"].map((body) => ({ body }));
    expect(await sqsQueue({ standard: aws.url("standard") }, client).send("standard", messages)).toEqual([]);
    expect(sent).toEqual([
      ["a", "b", "c", "d"],
      ["b", "d"],
    ]);
  });

  it("does not send again what the service calls the sender's fault", async () => {
    const before = aws.proxy.calls.get("SendMessageBatch") ?? 0;
    const bad = { body: "x", delaySeconds: 901 };
    const failed = await sqsQueue({ standard: aws.url("standard") }, client).send("standard", [bad]);
    expect(failed.map(({ message }) => message)).toEqual([bad]);
    expect(failed[0]?.reason).toBe(
      "InvalidParameterValue: Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.",
    );
    expect((aws.proxy.calls.get("SendMessageBatch") ?? 0) - before).toBe(1);
  });

  it("a URL whose queue is gone is `missing`", async () => {
    await expectFault("missing", sqsQueue({ gone: aws.url("gone") }, client).send("gone", [{ body: "a" }]));
  });

  it.each([
    ["AccessDenied", 403, "denied"],
    ["InternalFailure", 500, "unavailable"],
    ["BatchRequestTooLong", 400, "invalid"],
  ] as const)("%s (%i) is `%s`, with the SDK's error as cause", async (name, status, kind) => {
    aws.proxy.intercept(() => refusal(name, status));
    const fault = await expectFault(
      kind,
      sqsQueue({ standard: aws.url("standard") }, client).send("standard", [{ body: "a" }]),
    );
    expect(fault.message).toBe(`send 1 messages to queue standard: ${name}: as the test wants it`);
    expect((fault.cause as Error).name).toBe(name);
  });
});
