import type { SQSEvent, SQSRecord } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { parkDeadLetters } from "#lambda/dead-letters";
import { type BatchDeps, workBatch } from "#lambda/sqs-batch";
import type { Parked } from "#wire/parked";
import { parseReconcileMessage } from "#wire/work";

/** A record as SQS hands it to Lambda. */
function record(messageId: string, groupId: string, body: string, queue = "reconcile.fifo"): SQSRecord {
  return {
    messageId,
    receiptHandle: `handle-${messageId}`,
    body,
    attributes: {
      ApproximateReceiveCount: "2",
      SentTimestamp: "1700000000000",
      SenderId: "AIDAEXAMPLE",
      ApproximateFirstReceiveTimestamp: "1700000000100",
      MessageGroupId: groupId,
      SequenceNumber: "1",
      MessageDeduplicationId: messageId,
    },
    messageAttributes: {},
    md5OfBody: "00000000000000000000000000000000",
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:eu-central-1:123456789012:${queue}`,
    awsRegion: "eu-central-1",
  };
}

describe("a batch of messages", () => {
  let parked: Omit<Parked, "hub">[];
  let errors: { message: string; fields: Record<string, unknown> }[];
  let deps: BatchDeps;
  let parkFails: boolean;

  beforeEach(() => {
    parked = [];
    errors = [];
    parkFails = false;
    deps = {
      clock: { nowMs: () => 1_700_000_001_000 },
      log: { info: () => {}, warn: () => {}, error: (message, fields) => errors.push({ message, fields }) },
      park: async (message) => {
        if (parkFails) throw new Error("table throttled");
        parked.push(message);
      },
    };
  });

  /** Works texts: `bad…` fails, `slow…` takes a moment. */
  async function run(records: SQSRecord[], worked: string[] = []) {
    const event: SQSEvent = { Records: records };
    const response = await workBatch(
      deps,
      {
        queue: "reconcile",
        parse: (body) =>
          body.startsWith("?") ? { ok: false, fault: "not JSON" } : { ok: true, value: body },
        open: () => async (message) => {
          if (message.startsWith("slow")) await new Promise((resolve) => setTimeout(resolve, 20));
          if (message.startsWith("bad")) throw new Error(`cannot work ${message}`);
          worked.push(message);
        },
      },
      event,
    );
    return response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  it("B87: of ten records the fourth fails: it alone is reported", async () => {
    const records = Array.from({ length: 10 }, (_, i) => record(`m${i}`, `g${i}`, i === 3 ? "bad" : "good"));
    expect(await run(records)).toEqual(["m3"]);
  });

  it("B88: a failure also fails what is behind it in its group, and no other group", async () => {
    const worked: string[] = [];
    const records = [record("a", "g1", "bad a"), record("b", "g1", "b"), record("c", "g2", "c")];
    expect(await run(records, worked)).toEqual(["a", "b"]);
    expect(worked).toEqual(["c"]);
  });

  it("keeps the order of a group, and works groups side by side", async () => {
    const worked: string[] = [];
    await run([record("1", "g1", "slow 1"), record("2", "g1", "2"), record("3", "g2", "3")], worked);
    expect(worked).toEqual(["3", "slow 1", "2"]);
  });

  it("B89: each error is logged with its own message and body", async () => {
    await run([record("1", "g1", "bad 1"), record("2", "g2", "bad 2")]);
    expect(errors.map(({ fields }) => (fields.error as Error).message)).toEqual([
      "cannot work bad 1",
      "cannot work bad 2",
    ]);
  });

  it("a malformed body is parked with the reason and counts as done; the batch goes on", async () => {
    const worked: string[] = [];
    expect(await run([record("1", "g1", "?{"), record("2", "g1", "2")], worked)).toEqual([]);
    expect(worked).toEqual(["2"]);
    expect(parked).toEqual([
      {
        queue: "reconcile",
        messageId: "1",
        body: "?{",
        cause: "not JSON",
        receiveCount: 2,
        groupId: "g1",
        atMs: 1_700_000_001_000,
      },
    ]);
  });

  it("a malformed body that cannot be parked stays in the queue", async () => {
    parkFails = true;
    expect(await run([record("1", "g1", "?{")])).toEqual(["1"]);
  });

  it("a dead letter is parked with its queue and how often it was tried", async () => {
    const body = JSON.stringify({ v: 1, kind: "slot", hub: "eu", slotMs: 15_000 });
    const response = await parkDeadLetters(deps, { Records: [record("1", "g1", body, "dead-4A7C")] });
    expect(response.batchItemFailures).toEqual([]);
    expect(parked[0]).toMatchObject({ queue: "sweep", messageId: "1", body, receiveCount: 2 });
  });

  it.each([
    ["sweep", { kind: "slot" }],
    ["cron", { kind: "cron" }],
    ["reconcile", { kind: "shard" }],
    ["reconcile", { kind: "object" }],
    ["reconcile", { kind: "event" }],
    ["route", { kind: "later" }],
    ["route", { "detail-type": "ObjectChanged", detail: {} }],
    ["mainsheet-dead-4A7C", { kind: "what" }],
    ["mainsheet-dead-4A7C", ["kind"]],
  ])("a dead letter of %s is known by its body: %j", async (queue, body) => {
    await parkDeadLetters(deps, {
      Records: [record("1", "g1", JSON.stringify(body), "mainsheet-dead-4A7C")],
    });
    expect(parked[0]?.queue).toBe(queue);
  });

  it("a dead letter that cannot be parked stays in its queue", async () => {
    parkFails = true;
    const response = await parkDeadLetters(deps, { Records: [record("1", "g1", "x")] });
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: "1" }]);
  });
});

describe("messages (bad input: one sentence, what and where)", () => {
  const good = {
    v: 1,
    kind: "shard",
    hub: "eu",
    shard: "n/shop",
    dueAtMs: 15_000,
    objects: [{ namespace: "a", name: "b" }],
  };

  it.each<[string, string, RegExp]>([
    ["no JSON", "{", /^not JSON: \{/],
    ["another version", JSON.stringify({ ...good, v: 2 }), /^v: /],
    ["no kind", JSON.stringify({ ...good, kind: undefined }), /^kind: /],
    ["no objects", JSON.stringify({ ...good, objects: [] }), /^objects: /],
    ["a fractional instant", JSON.stringify({ ...good, dueAtMs: 1.5 }), /^dueAtMs: /],
    [
      "an object without a name",
      JSON.stringify({ ...good, objects: [{ namespace: "a" }] }),
      /^objects\.0\.name: /,
    ],
  ])("%s", (_case, body, fault) => {
    const parsed = parseReconcileMessage(body);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.fault).toMatch(fault);
  });

  it("a good one is read", () => {
    expect(parseReconcileMessage(JSON.stringify(good))).toEqual({ ok: true, value: good });
  });
});
