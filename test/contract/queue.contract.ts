import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPortFault } from "#ports/fault";
import type { Message, QueuePort } from "#ports/queue";
import { expectFault } from "#test/contract/expect-fault";

export interface QueueUnderTest {
  /** Has a standard queue `standard` and a FIFO queue `ordered`. */
  readonly queue: QueuePort;
  readonly clock: { nowMs(): number; advance(ms: number): void | Promise<void> };
  /** What has arrived and is visible, in order; it is removed. */
  take(queue: "standard" | "ordered"): readonly { body: string; groupId?: string }[];
  /** The service refuses entries with these bodies, so many times each. */
  refuse(bodies: readonly string[], times: number): void;
  /** The next request takes effect, but its sender never hears of it. */
  loseAnswer(): void;
  throttle(): void;
  cut(): void;
  close(): Promise<void>;
}

/** What every adapter of `QueuePort` keeps; the port's docstring is the source. */
export function queueContract(adapter: string, open: () => Promise<QueueUnderTest>): void {
  describe(`QueuePort: ${adapter}`, () => {
    let world: QueueUnderTest;
    let queue: QueuePort;
    beforeEach(async () => {
      world = await open();
      ({ queue } = world);
    });
    afterEach(() => world.close());

    const named = (count: number): Message[] => Array.from({ length: count }, (_, i) => ({ body: `m${i}` }));
    const bodies = (of: "standard" | "ordered") => world.take(of).map(({ body }) => body);
    const ordered = (body: string, more: Partial<Message> = {}): Message => ({
      body,
      groupId: "g",
      deduplicationId: body,
      ...more,
    });

    it("sends nothing for no messages", async () => {
      expect(await queue.send("standard", [])).toEqual([]);
      expect(bodies("standard")).toEqual([]);
    });

    it("sends more than a batch takes (10), in order", async () => {
      const messages = named(25);
      expect(await queue.send("standard", messages)).toEqual([]);
      expect(bodies("standard")).toEqual(messages.map(({ body }) => body));
    });

    it("sends more than a request takes (256 KB)", async () => {
      const messages = Array.from({ length: 6 }, (_, i) => ({ body: String(i).repeat(100_000) }));
      expect(await queue.send("standard", messages)).toEqual([]);
      expect(bodies("standard")).toEqual(messages.map(({ body }) => body));
    });

    it("keeps bodies byte for byte", async () => {
      const body = '{"名":"\u{1F6A2}","n":"\\u0000"}\n\ttail ';
      await queue.send("standard", [{ body }]);
      expect(bodies("standard")).toEqual([body]);
    });

    it("keeps the order of a FIFO group over several batches, and the groups", async () => {
      const messages = Array.from({ length: 24 }, (_, i) => ordered(`m${i}`, { groupId: `g${i % 2}` }));
      expect(await queue.send("ordered", messages)).toEqual([]);
      const taken = world.take("ordered");
      for (const group of ["g0", "g1"]) {
        expect(taken.filter(({ groupId }) => groupId === group).map(({ body }) => body)).toEqual(
          messages.filter(({ groupId }) => groupId === group).map(({ body }) => body),
        );
      }
    });

    it("accepts a de-duplication id again within 5 minutes, without effect (B83)", async () => {
      const send = (body: string) =>
        queue.send("ordered", [ordered(body, { deduplicationId: "shard:slot" })]);
      expect(await send("first")).toEqual([]);
      await world.clock.advance(299_999);
      expect(await send("again")).toEqual([]);
      await world.clock.advance(1);
      expect(await send("later")).toEqual([]);
      expect(bodies("ordered")).toEqual(["first", "later"]);
    });

    it.each<[string, "standard" | "ordered", Message]>([
      ["a delay of more than 900 s", "standard", { body: "bad", delaySeconds: 901 }],
      ["a negative delay", "standard", { body: "bad", delaySeconds: -1 }],
      ["a delay in a FIFO queue", "ordered", ordered("bad", { delaySeconds: 5 })],
      ["no group in a FIFO queue", "ordered", { body: "bad", deduplicationId: "d" }],
      ["no de-duplication id in a FIFO queue", "ordered", { body: "bad", groupId: "g" }],
      ["a group of more than 128 characters (B92)", "ordered", ordered("bad", { groupId: "g".repeat(129) })],
      [
        "a de-duplication id of more than 128 characters (B92)",
        "ordered",
        ordered("bad", { deduplicationId: "d".repeat(129) }),
      ],
      ["an empty body", "standard", { body: "" }],
    ])("names what no queue takes, and only that: %s", async (_what, name, bad) => {
      const good = (body: string) => (name === "ordered" ? ordered(body) : { body });
      const failed = await queue.send(name, [good("a"), bad, good("b")]);
      expect(failed.map(({ message }) => message)).toEqual([bad]);
      expect(failed[0]?.reason).toMatch(/\w/);
      expect(bodies(name)).toEqual(["a", "b"]);
    });

    it("takes delays up to 900 s", async () => {
      const delayed = [0, 1, 900].map((delaySeconds) => ({ body: `${delaySeconds}`, delaySeconds }));
      expect(await queue.send("standard", delayed)).toEqual([]);
      await world.clock.advance(900_000);
      expect(bodies("standard").sort()).toEqual(["0", "1", "900"]);
    });

    it("sends entries that the service failed again, and each arrives once (B91)", async () => {
      world.refuse(["m3", "m11"], 2);
      expect(await queue.send("standard", named(12))).toEqual([]);
      expect(bodies("standard").sort()).toEqual(
        named(12)
          .map(({ body }) => body)
          .sort(),
      );
    });

    it("names entries that failed three times, and the others arrive once (B91)", async () => {
      world.refuse(["m3"], 3);
      const failed = await queue.send("standard", named(12));
      expect(failed.map(({ message }) => message.body)).toEqual(["m3"]);
      expect(failed[0]?.reason).toMatch(/\w/);
      expect(bodies("standard")).toEqual(
        named(12)
          .map(({ body }) => body)
          .filter((body) => body !== "m3"),
      );
    });

    it("a FIFO message whose answer was lost arrives once, when it is sent again", async () => {
      world.loseAnswer();
      const send = () => queue.send("ordered", [ordered("a"), ordered("b")]);
      const failed = await send().catch((error) => {
        if (!isPortFault(error, "unavailable")) throw error;
        return send();
      });
      expect(failed).toEqual([]);
      expect(bodies("ordered")).toEqual(["a", "b"]);
    });

    it("a queue that is not there is `missing`", async () => {
      await expectFault("missing", queue.send("nowhere", named(1)));
    });

    it("too many requests are `throttled`, no answer is `unavailable`", async () => {
      world.throttle();
      await expectFault("throttled", queue.send("standard", named(1)));
      world.cut();
      await expectFault("unavailable", queue.send("standard", named(1)));
    });
  });
}
