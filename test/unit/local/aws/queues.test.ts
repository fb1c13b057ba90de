import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type QueueConfig, Queues } from "#infra/local/aws/sqs/queues";
import { type HostClock, virtualClock } from "#infra/local/clock";

const START = Date.parse("2026-11-30T12:00:00Z");
const CONFIGS: readonly QueueConfig[] = [
  { name: "work", visibilitySeconds: 60, redrive: { deadLetters: "dead", maxReceives: 3 } },
  { name: "dead", visibilitySeconds: 60 },
  { name: "shards.fifo", visibilitySeconds: 60, redrive: { deadLetters: "dead.fifo", maxReceives: 3 } },
  { name: "dead.fifo", visibilitySeconds: 60 },
  { name: "late", visibilitySeconds: 60, delaySeconds: 20 },
];

describe("queues of this machine", () => {
  let clock: HostClock;
  let queues: Queues;
  beforeEach(() => {
    clock = virtualClock({ startMs: START });
    queues = new Queues({ configs: CONFIGS, clock });
  });

  const advance = (seconds: number) => clock.runUntil(clock.nowMs() + seconds * 1_000);
  const send = (queue: string, body: string, more: object = {}) => {
    const result = queues.send(queue, { MessageBody: body, ...more });
    if ("code" in result) throw new Error(result.message);
    return result;
  };
  const sendTo = (group: string, body: string) =>
    send("shards.fifo", body, { MessageGroupId: group, MessageDeduplicationId: body });
  const receive = (queue: string, max = 10) => queues.receive(queue, max).map(({ message }) => message.body);
  const take = (queue: string, max = 10) => {
    const batch = queues.receive(queue, max);
    queues.delete(
      queue,
      batch.map(({ receiptHandle }) => receiptHandle),
    );
    return batch.map(({ message }) => message.body);
  };

  describe("standard", () => {
    it("a message can be received until it is deleted, hidden for its visibility in between", async () => {
      send("work", "a");
      expect(receive("work")).toEqual(["a"]);
      expect(receive("work")).toEqual([]);
      expect(queues.depth("work")).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
      await advance(59.999);
      expect(receive("work")).toEqual([]);
      await advance(0.001);
      expect(take("work")).toEqual(["a"]);
      await advance(3_600);
      expect(receive("work")).toEqual([]);
    });

    it("a delayed message appears at its instant: its own delay, or the queue's", async () => {
      send("work", "own", { DelaySeconds: 15 });
      send("late", "the queue's");
      send("late", "own before the queue's", { DelaySeconds: 0 });
      expect(queues.depth("work")).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
      expect(receive("late")).toEqual(["own before the queue's"]);
      await advance(14.999);
      expect(receive("work")).toEqual([]);
      await advance(0.001);
      expect(receive("work")).toEqual(["own"]);
      await advance(5);
      expect(receive("late")).toEqual(["the queue's"]);
    });

    it("counts receives, and remembers when it was sent and first received", async () => {
      send("work", "a");
      await advance(5);
      queues.receive("work", 1);
      await advance(60);
      const [second] = queues.receive("work", 1);
      expect(second?.message).toMatchObject({
        receives: 2,
        sentAtMs: START,
        firstReceivedAtMs: START + 5_000,
      });
    });

    it("is given up after maxReceives: it is in the dead letters at the next receive, count and sender kept", async () => {
      send("work", "poison");
      for (let i = 0; i < 3; i += 1) {
        expect(receive("work")).toEqual(["poison"]);
        await advance(60);
      }
      expect(receive("dead")).toEqual([]);
      expect(receive("work")).toEqual([]);
      const [dead] = queues.receive("dead", 1);
      expect(dead?.message).toMatchObject({
        body: "poison",
        deadLetterOf: "work",
        sentAtMs: START,
        receives: 4,
      });
      expect(queues.depth("work")).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    });

    it("gives up nothing where there are no dead letters", async () => {
      send("dead", "a");
      for (let i = 0; i < 20; i += 1) {
        expect(receive("dead")).toEqual(["a"]);
        await advance(60);
      }
    });

    it("a receipt of an earlier receive deletes nothing", async () => {
      send("work", "a");
      const [first] = queues.receive("work", 1);
      await advance(60);
      queues.receive("work", 1);
      queues.delete("work", [first?.receiptHandle ?? ""]);
      await advance(60);
      expect(receive("work")).toEqual(["a"]);
    });

    it("visibility can be changed while it is in flight: longer, or to an end", async () => {
      send("work", "a");
      const [first] = queues.receive("work", 1);
      queues.changeVisibility("work", first?.receiptHandle ?? "", 100);
      await advance(99);
      expect(receive("work")).toEqual([]);
      await advance(1);
      const [second] = queues.receive("work", 1);
      queues.changeVisibility("work", second?.receiptHandle ?? "", 0);
      expect(receive("work")).toEqual(["a"]);
      expect(() => queues.changeVisibility("work", second?.receiptHandle ?? "", 5)).toThrow(
        /isn't in flight/,
      );
    });

    it("refuses a receipt that is none, and a queue that is none", () => {
      expect(() => queues.delete("work", ["nonsense"])).toThrow(/receipt handle "nonsense" is not valid/);
      expect(() => queues.receive("nowhere", 1)).toThrow(/does not exist/);
    });

    it("purge removes everything", () => {
      for (const body of ["a", "b"]) send("work", body);
      queues.receive("work", 1);
      queues.purge("work");
      expect(queues.depth("work")).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    });
  });

  describe("FIFO", () => {
    it("a batch mixes groups, each in order; a group in flight gives nothing until it is done (B88)", () => {
      for (const [group, body] of ["A1", "A2", "B1", "A3", "B2"].map(
        (body) => [body[0] ?? "", body] as const,
      )) {
        sendTo(group, body);
      }
      expect(receive("shards.fifo", 3)).toEqual(["A1", "A2", "B1"]);
      expect(receive("shards.fifo")).toEqual([]);
      sendTo("C", "C1");
      expect(receive("shards.fifo")).toEqual(["C1"]);
    });

    it("a group goes on when what was in flight is deleted, all of it", () => {
      for (const body of ["A1", "A2", "A3"]) sendTo("A", body);
      const batch = queues.receive("shards.fifo", 2);
      queues.delete("shards.fifo", [batch[0]?.receiptHandle ?? ""]);
      expect(receive("shards.fifo")).toEqual([]);
      queues.delete("shards.fifo", [batch[1]?.receiptHandle ?? ""]);
      expect(receive("shards.fifo")).toEqual(["A3"]);
    });

    it("what comes back keeps its place before what was sent later", async () => {
      for (const body of ["A1", "A2"]) sendTo("A", body);
      expect(receive("shards.fifo", 1)).toEqual(["A1"]);
      sendTo("A", "A3");
      await advance(60);
      expect(receive("shards.fifo")).toEqual(["A1", "A2", "A3"]);
    });

    it("a poison message stops its group for three visibilities, then the group goes on", async () => {
      sendTo("A", "poison");
      sendTo("A", "A2");
      for (let i = 0; i < 3; i += 1) {
        expect(receive("shards.fifo", 1)).toEqual(["poison"]);
        await advance(60);
      }
      expect(take("shards.fifo")).toEqual(["A2"]);
      const [dead] = queues.receive("dead.fifo", 1);
      expect(dead?.message).toMatchObject({ body: "poison", groupId: "A", deduplicationId: "poison" });
    });

    it("a de-duplication id of the last 5 minutes gets the first answer, also when the message is done (B83)", async () => {
      const first = sendTo("A", "slot");
      expect(take("shards.fifo")).toEqual(["slot"]);
      await advance(299);
      expect(sendTo("A", "slot")).toMatchObject(first);
      expect(receive("shards.fifo")).toEqual([]);
      await advance(1);
      expect(sendTo("A", "slot").sequence).toBeGreaterThan(first.sequence);
    });

    it("a receipt whose visibility has ended is refused", async () => {
      sendTo("A", "A1");
      const [late] = queues.receive("shards.fifo", 1);
      await advance(60);
      expect(() => queues.delete("shards.fifo", [late?.receiptHandle ?? ""])).toThrow(/has expired/);
    });
  });

  describe("subscribers", () => {
    it("are called as timers of the clock: at once, when sent, when a delay or a visibility ends", async () => {
      const calls: number[] = [];
      queues.subscribe("work", () => {
        calls.push((clock.nowMs() - START) / 1_000);
        receive("work");
      });
      clock.at(START + 1_000, () => send("work", "a", { DelaySeconds: 15 }));
      clock.at(START + 2_000, () => send("work", "b"));
      expect(calls).toEqual([]);
      await clock.runUntil(START + 70_000);
      expect(calls).toEqual([0, 2, 16, 62]);
    });

    it("one call is for all that became visible at one instant", async () => {
      const batches: string[][] = [];
      queues.subscribe("work", () => batches.push(receive("work")));
      clock.at(START + 1_000, () => {
        for (const body of ["a", "b", "c"]) send("work", body);
      });
      await clock.runUntil(START + 2_000);
      expect(batches).toEqual([[], ["a", "b", "c"]]);
    });

    it("are not called any more when they have left", async () => {
      const leave = queues.subscribe("work", () => {
        throw new Error("called");
      });
      leave();
      send("work", "a");
      await advance(1);
    });
  });

  describe("over a journal", () => {
    let folder: string;
    let path: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "queues-"));
      path = join(folder, "queues.jsonl");
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));
    const open = () => new Queues({ configs: CONFIGS, clock, journalPath: path });

    it("what was in flight comes back after its visibility, with its count", async () => {
      queues = open();
      send("work", "a");
      queues.receive("work", 1);
      await advance(20);
      queues = open();
      expect(receive("work")).toEqual([]);
      await advance(40);
      const [again] = queues.receive("work", 1);
      expect(again?.message).toMatchObject({ body: "a", receives: 2, sentAtMs: START });
    });

    it("a group stays locked, a de-duplication id stays known, and sequence numbers go on", async () => {
      queues = open();
      const first = sendTo("A", "A1");
      sendTo("A", "A2");
      queues.receive("shards.fifo", 1);
      queues = open();
      expect(receive("shards.fifo")).toEqual([]);
      expect(sendTo("A", "A1")).toMatchObject(first);
      expect(sendTo("A", "A3").sequence).toBe(3);
      await advance(60);
      expect(receive("shards.fifo")).toEqual(["A1", "A2", "A3"]);
    });

    it("is written anew at a start, and holds only what is still there", () => {
      queues = open();
      for (let i = 0; i < 100; i += 1) send("work", `m${i}`);
      for (let i = 0; i < 10; i += 1) take("work");
      const before = statSync(path).size;
      queues.close();
      queues = open();
      expect(statSync(path).size).toBeLessThan(before / 20);
      expect(send("work", "next").sequence).toBe(101);
    });

    it("queues that are no longer there are left out, others stay", () => {
      queues = open();
      send("work", "a");
      send("late", "b");
      queues = new Queues({ configs: [CONFIGS[0], CONFIGS[1]] as QueueConfig[], clock, journalPath: path });
      expect(queues.names).toEqual(["work", "dead"]);
      expect(receive("work")).toEqual(["a"]);
    });

    it("after any history, a restart changes nothing that can be seen", async () => {
      const queue = fc.constantFrom("work", "shards.fifo");
      const step = fc.oneof(
        fc.record({
          do: fc.constant("send" as const),
          queue,
          id: fc.nat(6),
          delay: fc.constantFrom(0, 5, 30),
        }),
        fc.record({ do: fc.constant("receive" as const), queue, max: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ do: fc.constant("delete" as const), queue, which: fc.nat(5) }),
        fc.record({ do: fc.constant("show" as const), queue, which: fc.nat(5) }),
        fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 30, 61, 200) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          rmSync(path, { force: true });
          clock = virtualClock({ startMs: START });
          queues = open();
          const receipts: Record<string, string[]> = { work: [], "shards.fifo": [] };
          for (const each of steps) {
            try {
              if (each.do === "wait") await advance(each.seconds);
              else if (each.do === "send" && each.queue === "work") {
                send("work", `m${each.id}`, { DelaySeconds: each.delay });
              } else if (each.do === "send") sendTo(`g${each.id % 2}`, `m${each.id}`);
              else if (each.do === "receive") {
                const batch = queues.receive(each.queue, each.max);
                receipts[each.queue]?.unshift(...batch.map(({ receiptHandle }) => receiptHandle));
              } else {
                const receipt = receipts[each.queue]?.[each.which];
                if (receipt === undefined) continue;
                if (each.do === "delete") queues.delete(each.queue, [receipt]);
                else queues.changeVisibility(each.queue, receipt, 0);
              }
            } catch {
              // A receipt that is out of date: refused, which changes nothing.
            }
          }
          const seen = async (of: Queues) => {
            clock = virtualClock({ startMs: clock.nowMs() });
            const depths = of.names.map((name) => of.depth(name));
            return { depths, first: of.names.map((name) => of.receive(name, 10).map(strip)) };
          };
          const restarted = open();
          const copy = await seen(restarted);
          expect(copy).toEqual(await seen(queues));
          restarted.close();
          queues.close();
        }),
        { numRuns: 60 },
      );
    });
  });
});

/** A message without the time of its receipt. */
function strip({ message, receiptHandle }: { message: object; receiptHandle: string }): object {
  return { message, receiptHandle };
}
