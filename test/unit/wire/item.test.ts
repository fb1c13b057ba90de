import { describe, expect, it } from "vitest";
import type { Item } from "#ports/table";
import { checkItem, isExpired, MAX_ITEM_BYTES } from "#wire/item";

const KEY = { pk: "p", sk: "s" };

/** Amazon DynamoDB Developer Guide, "Item sizes and formats": names and values, in UTF-8. */
describe("the size of an item", () => {
  it.each<[string, object, number]>([
    ["the key alone: four times one byte and two", {}, 2 + 1 + 2 + 1],
    ["a text", { ab: "xyz" }, 6 + 2 + 3],
    ["a text beyond ASCII", { a: "é帆\u{1F6A2}" }, 6 + 1 + 2 + 3 + 4],
    ["null and booleans", { a: null, b: true }, 6 + 2 + 2],
    ["a number: a byte for two digits, and one", { a: 12345 }, 6 + 1 + 4],
    ["a list: three, and one for each", { a: ["x", "y"] }, 6 + 1 + 3 + 2 + 2],
    ["a map: three, and one for each", { a: { b: "x" } }, 6 + 1 + 3 + 1 + 2],
    ["undefined fields", { a: undefined, b: { c: undefined } }, 6 + 1 + 3],
  ])("%s", (_what, attributes, bytes) => {
    expect(checkItem({ ...KEY, ...attributes })).toMatchObject({ ok: true, bytes });
  });

  it("is at most 400 KB, to the byte", () => {
    const text = (bytes: number) => ({ ...KEY, a: "x".repeat(bytes - 7) });
    expect(checkItem(text(MAX_ITEM_BYTES)).ok).toBe(true);
    expect(checkItem(text(MAX_ITEM_BYTES + 1))).toEqual({
      ok: false,
      fault: "409601 bytes; an item holds at most 409600",
    });
  });
});

describe("what no table takes, and where it is", () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  it.each<[object, string]>([
    [{ status: { ratios: [1, Number.NaN] } }, "status.ratios[1] is NaN"],
    [{ a: Number.NEGATIVE_INFINITY }, "a is -Infinity"],
    [{ a: 2 ** 53 }, "a is 9007199254740992, beyond 2^53 - 1; keep it as text"],
    [{ a: { b: 1n } }, "a.b is a bigint, not JSON"],
    [{ a: new Map() }, "a is a object, not JSON"],
    [{ a: nested(33) }, `a${"[0]".repeat(32)} is nested deeper than 32`],
    [{ pk: 1 }, "pk must be a text, not empty"],
    [{ sk: undefined }, "sk must be a text, not empty"],
    [{ pk: "p".repeat(2_049) }, "pk is longer than 2048 bytes"],
  ])("%o: %s", (attributes, fault) => {
    expect(checkItem({ ...KEY, ...attributes } as Item)).toEqual({ ok: false, fault });
  });
});

describe("an item's TTL (B96, B97)", () => {
  it.each<[string, unknown, number, boolean]>([
    ["before", 100, 99_999, false],
    ["at its second", 100, 100_000, false],
    ["after", 100, 100_001, true],
    ["none", undefined, 100_001, false],
    ["a text, which DynamoDB ignores too", "100", 100_001, false],
  ])("%s", (_when, ttl, nowMs, expired) => {
    expect(isExpired({ ttl }, nowMs)).toBe(expired);
  });
});
