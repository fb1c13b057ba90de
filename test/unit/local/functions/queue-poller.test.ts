import { setTimeout as sleep } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { Queues } from "#infra/local/aws/sqs/queues";
import { type HostClock, virtualClock } from "#infra/local/clock";
import { pollQueue } from "#infra/local/functions/queue-poller";

const START = Date.parse("2026-11-30T12:00:00Z");

describe("the poller of a queue", () => {
  let clock: HostClock;
  let queues: Queues;
  beforeEach(() => {
    clock = virtualClock({ startMs: START });
    queues = new Queues({
      clock,
      configs: [
        { name: "work", visibilitySeconds: 60, redrive: { deadLetters: "dead", maxReceives: 3 } },
        { name: "dead", visibilitySeconds: 60 },
        { name: "shards.fifo", visibilitySeconds: 60 },
      ],
    });
  });

  const send = (body: string, more: object = {}) => queues.send("work", { MessageBody: body, ...more });
  const sendTo = (group: string, body: string) =>
    queues.send("shards.fifo", { MessageBody: body, MessageGroupId: group, MessageDeduplicationId: body });
  const poll = (
    queue: string,
    invoke: (event: SQSEvent) => Promise<unknown>,
    { batchSize = 10, maxConcurrency = 2 } = {},
  ) =>
    pollQueue({
      queues,
      clock,
      queue,
      batchSize,
      maxConcurrency,
      invoke: (event) => invoke(event as SQSEvent),
    });
  const seconds = () => (clock.nowMs() - START) / 1_000;
  const bodies = (event: SQSEvent) => event.Records.map(({ body }) => body);

  it("hands a message to the function as SQS's event", async () => {
    const events: SQSEvent[] = [];
    poll("work", async (event) => events.push(event));
    clock.at(START, () => send("a", { DelaySeconds: 15 }));
    await clock.runUntil(START + 20_000);
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            receiptHandle: expect.any(String),
            body: "a",
            attributes: {
              ApproximateReceiveCount: "1",
              SentTimestamp: String(START),
              SenderId: expect.any(String),
              ApproximateFirstReceiveTimestamp: String(START + 15_000),
            },
            messageAttributes: {},
            md5OfBody: "0cc175b9c0f1b6a831c399e269772661",
            eventSource: "aws:sqs",
            eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:work",
            awsRegion: "us-east-1",
          },
        ],
      },
    ]);
  });

  it("a FIFO record says its group, de-duplication id and sequence number", async () => {
    let attributes: object = {};
    poll("shards.fifo", async (event) => {
      attributes = event.Records[0]?.attributes ?? {};
    });
    sendTo("g", "a");
    await clock.runUntil(START + 1_000);
    expect(attributes).toMatchObject({
      MessageGroupId: "g",
      MessageDeduplicationId: "a",
      SequenceNumber: "00000000000000000001",
    });
  });

  it("deletes what the function worked", async () => {
    poll("work", async () => undefined);
    send("a");
    await clock.runUntil(START + 1);
    expect(queues.depth("work")).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it("time stands still while the function works, however long it takes", async () => {
    const seen: string[] = [];
    poll("work", async (event) => {
      await sleep(20);
      seen.push(`${bodies(event)} at ${seconds()}`);
    });
    for (const [body, DelaySeconds] of [
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ] as const)
      send(body, { DelaySeconds });
    clock.at(START + 1_500, () => seen.push("1.5"));
    await clock.runUntil(START + 3_000);
    expect(seen).toEqual(["a,b at 1", "1.5", "c at 2"]);
  });

  it("only the messages named as failed come back, after their visibility (B87)", async () => {
    const calls: [number, string[]][] = [];
    poll("work", async (event) => {
      calls.push([seconds(), bodies(event)]);
      const failed = event.Records.filter(({ body }) => body === "b");
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    for (const body of ["a", "b", "c"]) send(body);
    await clock.runUntil(START + 3_600_000);
    expect(calls).toEqual([
      [0, ["a", "b", "c"]],
      [60, ["b"]],
      [120, ["b"]],
    ]);
    expect(queues.receive("dead", 10).map(({ message }) => message.body)).toEqual(["b"]);
  });

  it.each([
    ["it throws", () => Promise.reject(new Error("broken"))],
    ["its answer cannot be read (B87)", async () => ({ batchItemFailures: [{ itemIdentifier: "" }] })],
  ])("the whole batch comes back when %s", async (_when, answer) => {
    const calls: [number, string[]][] = [];
    poll("work", (event) => {
      calls.push([seconds(), bodies(event)]);
      return answer();
    });
    for (const body of ["a", "b"]) send(body);
    await clock.runUntil(START + 60_000);
    expect(calls).toEqual([
      [0, ["a", "b"]],
      [60, ["a", "b"]],
    ]);
  });

  it("works as many batches side by side as it may, and no more", async () => {
    let now = 0;
    let most = 0;
    poll(
      "work",
      async () => {
        now += 1;
        most = Math.max(most, now);
        await sleep(3);
        now -= 1;
      },
      { batchSize: 1, maxConcurrency: 3 },
    );
    for (let i = 0; i < 10; i += 1) send(`m${i}`);
    await clock.runUntil(START + 1);
    expect(most).toBe(3);
    expect(queues.depth("work").visible).toBe(0);
  });

  it("a FIFO group is never in two batches at once, and keeps its order (B88)", async () => {
    const inWork = new Set<string>();
    const worked = new Map<string, string[]>();
    let overlaps = 0;
    poll(
      "shards.fifo",
      async (event) => {
        const groups = new Set(event.Records.map(({ attributes }) => attributes.MessageGroupId ?? ""));
        overlaps += [...groups].filter((group) => inWork.has(group)).length;
        for (const group of groups) inWork.add(group);
        await sleep(2);
        for (const { body, attributes } of event.Records) {
          const group = attributes.MessageGroupId ?? "";
          worked.set(group, [...(worked.get(group) ?? []), body]);
        }
        for (const group of groups) inWork.delete(group);
      },
      { batchSize: 2, maxConcurrency: 4 },
    );
    for (let i = 0; i < 24; i += 1) sendTo(`g${i % 3}`, `m${i}`);
    await clock.runUntil(START + 1);
    expect(overlaps).toBe(0);
    for (const group of [0, 1, 2]) {
      expect(worked.get(`g${group}`)).toEqual(Array.from({ length: 8 }, (_, i) => `m${i * 3 + group}`));
    }
  });

  it("takes no new batch once it is ended", async () => {
    const stop = poll("work", async () => {
      throw new Error("called");
    });
    stop();
    send("a");
    await clock.runUntil(START + 1_000);
    expect(queues.depth("work").visible).toBe(1);
  });
});
