import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPortFault } from "#ports/fault";
import type { Item, TablePort } from "#ports/table";
import { expectFault } from "#test/contract/expect-fault";

export interface TableUnderTest {
  readonly table: TablePort;
  readonly clock: { nowMs(): number; advance(ms: number): void | Promise<void> };
  /** The next `put` or `delete` takes effect, but its caller never hears of it. */
  loseAnswer(): void;
  /** Every request is refused as coming too fast, from now on. */
  throttle(): void;
  /** No request is answered, from now on. */
  cut(): void;
  close(): Promise<void>;
}

/** What every adapter of `TablePort` keeps; the port's docstrings are the source. */
export function tableContract(adapter: string, open: () => Promise<TableUnderTest>): void {
  describe(`TablePort: ${adapter}`, () => {
    let world: TableUnderTest;
    let table: TablePort;
    beforeEach(async () => {
      world = await open();
      ({ table } = world);
    });
    afterEach(() => world.close());

    const key = { pk: "fhpa#hub#shop/web", sk: "state" };
    const read = () => ({ nowMs: world.clock.nowMs(), consistent: true });
    const stored = (of: { pk: string; sk: string } = key) => table.get(of, read());
    const secondsFromNow = (seconds: number) => Math.floor(world.clock.nowMs() / 1000) + seconds;
    const putAll = (items: readonly Item[]) =>
      Promise.all(items.map((item) => table.put(item, { if: "none" })));

    describe("items", () => {
      it("come back as they were put", async () => {
        const item = {
          ...key,
          text: "帆 \u{1F6A2}",
          empty: "",
          whole: 2 ** 53 - 1,
          fraction: -0.125,
          yes: true,
          nothing: null,
          list: [1, "a", [], {}, [null]],
          map: { a: { b: { c: [] } }, "dotted.name": 1 },
        };
        await table.put(item, { if: "none" });
        expect(await stored()).toEqual(item);
      });

      it("are undefined where there are none", async () => {
        expect(await stored()).toBeUndefined();
      });

      it("are replaced whole", async () => {
        await table.put({ ...key, old: 1, both: 1 }, { if: "none" });
        await table.put({ ...key, both: 2 }, { if: "none" });
        expect(await stored()).toEqual({ ...key, both: 2 });
      });

      it("lose their undefined fields, at any depth (B100)", async () => {
        await table.put(
          { ...key, a: undefined, b: { c: undefined, d: 1 }, e: [undefined, 2] },
          { if: "none" },
        );
        expect(await stored()).toEqual({ ...key, b: { d: 1 }, e: [2] });
        expect(Object.keys((await stored()) ?? {})).not.toContain("a");
      });

      it("do not change with what the caller does to them afterwards", async () => {
        const list = [1];
        await table.put({ ...key, list }, { if: "none" });
        list.push(2);
        const got = (await stored()) as { list: number[] } & Item;
        got.list.push(3);
        expect(await stored()).toEqual({ ...key, list: [1] });
      });

      it.each([
        ["NaN (B100)", { ratio: Number.NaN }],
        ["Infinity", { ratio: Number.POSITIVE_INFINITY }],
        ["NaN in a list in a map", { map: { list: [1, Number.NaN] } }],
        ["a whole number that comes back rounded", { bytes: 2 ** 53 }],
        ["a bigint", { bytes: 1n }],
        ["a date", { at: new Date(0) }],
        ["a function", { call: () => 1 }],
        ["more than 400 KB", { text: "x".repeat(400 * 1024) }],
      ])("are refused as invalid: %s, and what was there stays", async (_what, attributes) => {
        await table.put({ ...key, kept: true }, { if: "none" });
        await expectFault("invalid", table.put({ ...key, ...attributes } as Item, { if: "none" }));
        expect(await stored()).toEqual({ ...key, kept: true });
      });

      it.each([
        ["an empty partition key", { pk: "", sk: "a" }],
        ["an empty sort key", { pk: "a", sk: "" }],
        ["a sort key of more than 1,024 bytes", { pk: "a", sk: "é".repeat(513) }],
      ])("are refused as invalid: %s", async (_what, badKey) => {
        await expectFault("invalid", table.put(badKey, { if: "none" }));
      });

      it("may be almost 400 KB large", async () => {
        const text = "x".repeat(400 * 1024 - 100);
        await table.put({ ...key, text }, { if: "none" });
        expect((await stored())?.text).toBe(text);
      });
    });

    describe("conditions of a put", () => {
      it("none: writes over anything", async () => {
        await table.put({ ...key, version: 7 }, { if: "none" });
        await table.put({ ...key, version: 1 }, { if: "none" });
        expect((await stored())?.version).toBe(1);
      });

      it("absent: writes where there is none, else it is a conflict and nothing changes", async () => {
        await table.put({ ...key, version: 1, by: "first" }, { if: "absent" });
        await expectFault("conflict", table.put({ ...key, version: 1, by: "second" }, { if: "absent" }));
        expect((await stored())?.by).toBe("first");
      });

      it("absent: an item whose TTL has passed counts as none (B96)", async () => {
        await table.put({ ...key, ttl: secondsFromNow(10), by: "first" }, { if: "none" });
        await expectFault("conflict", table.put({ ...key, by: "second" }, { if: "absent" }));
        await world.clock.advance(11_000);
        await table.put({ ...key, by: "third" }, { if: "absent" });
        expect(await stored()).toEqual({ ...key, by: "third" });
      });

      it("version: two runs read version 7, one wins (B98)", async () => {
        await table.put({ ...key, version: 7 }, { if: "none" });
        const write = (by: string) => table.put({ ...key, version: 8, by }, { if: "version", is: 7 });
        const outcomes = await Promise.allSettled([write("a"), write("b")]);
        expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
        const winner = outcomes[0]?.status === "fulfilled" ? "a" : "b";
        expect(await stored()).toEqual({ ...key, version: 8, by: winner });
      });

      it("version: no item, an item without a version and another version are conflicts", async () => {
        const write = () => table.put({ ...key, version: 2 }, { if: "version", is: 1 });
        await expectFault("conflict", write());
        await table.put(key, { if: "none" });
        await expectFault("conflict", write());
        await table.put({ ...key, version: 3 }, { if: "none" });
        await expectFault("conflict", write());
        expect((await stored())?.version).toBe(3);
      });
    });

    describe("a write whose answer was lost", () => {
      /** As a use case does it: the same write once more. */
      async function putTwice(item: Item, condition: Parameters<TablePort["put"]>[1]): Promise<void> {
        try {
          await table.put(item, condition);
        } catch (error) {
          if (!isPortFault(error, "unavailable")) throw error;
          await table.put(item, condition);
        }
      }

      it.each([
        ["absent", { if: "absent" } as const, undefined],
        ["version", { if: "version", is: 1 } as const, { version: 1 }],
      ])(
        "succeeds when it is sent again with its writeId, and counts once: %s",
        async (_if, condition, before) => {
          if (before) await table.put({ ...key, ...before, writeId: "w0" }, { if: "none" });
          world.loseAnswer();
          await putTwice({ ...key, version: 2, writeId: "w1" }, condition);
          expect(await stored()).toEqual({ ...key, version: 2, writeId: "w1" });
        },
      );

      it("is a conflict without a writeId: nobody can tell whose write it was", async () => {
        world.loseAnswer();
        await expectFault("conflict", putTwice({ ...key, version: 1 }, { if: "absent" }));
      });

      it("is a conflict when somebody else has written since", async () => {
        await table.put({ ...key, version: 1, writeId: "w1" }, { if: "none" });
        await table.put({ ...key, version: 2, writeId: "other" }, { if: "version", is: 1 });
        await expectFault("conflict", table.put({ ...key, version: 1, writeId: "w1" }, { if: "absent" }));
        expect((await stored())?.writeId).toBe("other");
      });
    });

    describe("delete", () => {
      it("removes, and a missing item satisfies none", async () => {
        await table.put({ ...key, version: 1 }, { if: "none" });
        await table.delete(key, { if: "none" });
        expect(await stored()).toBeUndefined();
        await table.delete(key, { if: "none" });
      });

      it("is a conflict on another version, and the item stays", async () => {
        await table.put({ ...key, version: 2 }, { if: "none" });
        await expectFault("conflict", table.delete(key, { if: "version", is: 1 }));
        expect((await stored())?.version).toBe(2);
        await table.delete(key, { if: "version", is: 2 });
        expect(await stored()).toBeUndefined();
        await expectFault("conflict", table.delete(key, { if: "version", is: 2 }));
      });
    });

    describe("an item whose TTL has passed (B96, B97)", () => {
      const ttlKey = (sk: string) => ({ pk: "ttl", sk });

      it("is gone for get, getMany and query from the second after, and an item without TTL never", async () => {
        const nowMs = world.clock.nowMs();
        const second = nowMs / 1000;
        await putAll([{ ...ttlKey("a"), ttl: second }, { ...ttlKey("b"), ttl: second + 1 }, ttlKey("c")]);
        const at = async (ms: number) => {
          const options = { nowMs: nowMs + ms, consistent: true };
          const keys = ["a", "b", "c"].map(ttlKey);
          const many = await table.getMany(keys, options);
          const gotten = await Promise.all(keys.map((each) => table.get(each, options)));
          expect(gotten).toEqual(many);
          expect(await table.query({ pk: "ttl" }, options)).toEqual(
            many.filter((item) => item !== undefined),
          );
          return many.map((item) => item?.sk);
        };
        expect(await at(0)).toEqual(["a", "b", "c"]);
        expect(await at(1)).toEqual([undefined, "b", "c"]);
        expect(await at(1_000)).toEqual([undefined, "b", "c"]);
        expect(await at(1_001)).toEqual([undefined, undefined, "c"]);
      });

      it("does not use up a query's limit", async () => {
        const items = Array.from({ length: 12 }, (_, i) => ({
          ...ttlKey(String(i).padStart(2, "0")),
          ...(i % 3 !== 0 && { ttl: secondsFromNow(-5) }),
        }));
        await putAll(items);
        const found = await table.query({ pk: "ttl", limit: 3 }, read());
        expect(found.map((item) => item.sk)).toEqual(["00", "03", "06"]);
      });
    });

    describe("getMany", () => {
      it("answers in the order and length of the keys, missing ones and repeated ones too", async () => {
        await putAll([
          { pk: "m", sk: "1", n: 1 },
          { pk: "m", sk: "2", n: 2 },
        ]);
        const keys = ["2", "none", "1", "2"].map((sk) => ({ pk: "m", sk }));
        const items = await table.getMany(keys, read());
        expect(items.map((item) => item?.n)).toEqual([2, undefined, 1, 2]);
      });

      it("of no keys is nothing", async () => {
        expect(await table.getMany([], read())).toEqual([]);
      });

      it("takes more keys than one request does (100)", async () => {
        const items = Array.from({ length: 230 }, (_, n) => ({ pk: `p${n % 7}`, sk: String(n), n }));
        await putAll(items);
        const got = await table.getMany(items, read());
        expect(got.map((item) => item?.n)).toEqual(items.map(({ n }) => n));
      });
    });

    describe("query", () => {
      const keys = ["beat#a", "scale#01", "scale#02", "scale#03", "scalf", "slot#1"];
      const found = async (query: Omit<Parameters<TablePort["query"]>[0], "pk">) =>
        (await table.query({ pk: "q", ...query }, read())).map((item) => item.sk);
      beforeEach(() => putAll([...keys.map((sk) => ({ pk: "q", sk })), { pk: "q2", sk: "other" }]));

      it.each([
        ["all of a partition", {}, keys],
        ["a prefix", { prefix: "scale#" }, ["scale#01", "scale#02", "scale#03"]],
        [
          "both bounds, which belong to it",
          { from: "scale#02", to: "scalf" },
          ["scale#02", "scale#03", "scalf"],
        ],
        ["a lower bound", { from: "scale#03" }, ["scale#03", "scalf", "slot#1"]],
        ["an upper bound", { to: "scale#01" }, ["beat#a", "scale#01"]],
        ["a prefix and a lower bound", { prefix: "scale#", from: "scale#02" }, ["scale#02", "scale#03"]],
        ["a prefix and an upper bound", { prefix: "scale#", to: "scale#02" }, ["scale#01", "scale#02"]],
        [
          "a prefix and bounds around it",
          { prefix: "scale#", from: "a", to: "z" },
          ["scale#01", "scale#02", "scale#03"],
        ],
        ["a limit", { limit: 2 }, ["beat#a", "scale#01"]],
        ["the last ones first", { descending: true, limit: 2 }, ["slot#1", "scalf"]],
        ["the last of a prefix", { prefix: "scale#", descending: true, limit: 1 }, ["scale#03"]],
        [
          "the newest before a bound",
          { prefix: "scale#", to: "scale#02", descending: true, limit: 1 },
          ["scale#02"],
        ],
        ["a limit of 0", { limit: 0 }, []],
        ["an empty range", { from: "z", to: "a" }, []],
        ["a prefix outside the bounds", { prefix: "scale#", to: "beat" }, []],
        ["a prefix that nothing has", { prefix: "none#" }, []],
      ])("gives %s", async (_what, query, expected) => {
        expect(await found(query)).toEqual(expected);
      });

      it("gives nothing for a partition that is not there", async () => {
        expect(await table.query({ pk: "none" }, read())).toEqual([]);
      });

      it("orders as UTF-8 bytes do, also beyond the basic plane", async () => {
        const ordered = ["A", "a", "é", "\uFFFD", "\u{1F6A2}"];
        await putAll([...ordered].reverse().map((sk) => ({ pk: "utf8", sk })));
        expect((await table.query({ pk: "utf8" }, read())).map((item) => item.sk)).toEqual(ordered);
      });

      it("follows pages (1 MB each) up to the end, and up to the limit", async () => {
        const large = Array.from({ length: 30 }, (_, i) => ({
          pk: "large",
          sk: String(i).padStart(2, "0"),
          text: "x".repeat(90_000),
        }));
        await putAll(large);
        const sks = large.map((item) => item.sk);
        const all = await table.query({ pk: "large" }, read());
        expect(all.map((item) => item.sk)).toEqual(sks);
        const some = await table.query({ pk: "large", limit: 20, descending: true }, read());
        expect(some.map((item) => item.sk)).toEqual(sks.reverse().slice(0, 20));
      });
    });

    describe("faults", () => {
      const operations: [string, () => Promise<unknown>][] = [
        ["get", () => table.get(key, { nowMs: 0 })],
        ["getMany", () => table.getMany([key], { nowMs: 0 })],
        ["put", () => table.put(key, { if: "none" })],
        ["delete", () => table.delete(key, { if: "none" })],
        ["query", () => table.query({ pk: key.pk }, { nowMs: 0 })],
      ];

      it.each(operations)("%s: too many requests are `throttled`", async (_name, operation) => {
        world.throttle();
        await expectFault("throttled", operation());
      });

      it.each(operations)("%s: no answer is `unavailable`", async (_name, operation) => {
        world.cut();
        await expectFault("unavailable", operation());
      });
    });
  });
}
