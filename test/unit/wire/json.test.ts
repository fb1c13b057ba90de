import { describe, expect, it } from "vitest";
import { decodeJson, encodeJson, sameJson } from "#wire/json";

const text = (value: unknown) => {
  const encoded = encodeJson(value);
  return encoded.ok ? encoded.value : encoded.fault;
};

describe("JSON with stable bytes", () => {
  it.each([
    ["keys in order, at any depth", { b: { d: 1, c: 2 }, a: [] }, '{"a":[],"b":{"c":2,"d":1}}'],
    ["undefined members left out (B100)", { a: undefined, b: null }, '{"b":null}'],
    ["an undefined element keeps its place", [1, undefined, 2], "[1,null,2]"],
    [
      "a bigint as its digits",
      { a: 2n ** 64n, b: -1n },
      '{"a":{"$milli":"18446744073709551616"},"b":{"$milli":"-1"}}',
    ],
    ["data that looks like the mark", { $milli: "1", $$milli: 2 }, '{"$$$milli":2,"$$milli":"1"}'],
    ["texts as JSON writes them", "é\n\u2028", '"é\\n\u2028"'],
    ["-0 as 0", -0, "0"],
  ])("%s", (_, value, expected) => {
    expect(text(value)).toBe(expected);
  });

  it.each([
    [
      "NaN (B100)",
      { ratio: [0, Number.NaN] },
      "json-number",
      "$.ratio[1] is NaN; store a number or leave the member out",
    ],
    [
      "Infinity",
      { a: Number.NEGATIVE_INFINITY },
      "json-number",
      "$.a is -Infinity; store a number or leave the member out",
    ],
    ["a Map", { a: new Map() }, "json-type", "$.a is a Map, which has no JSON; store plain data"],
    ["a Date", new Date(0), "json-type", "$ is a Date, which has no JSON; store plain data"],
    ["a function", [() => 1], "json-type", "$[0] is a function, which has no JSON; store plain data"],
    ["nothing", undefined, "json-type", "$ is undefined, which has no JSON"],
  ])("refuses %s and says where", (_, value, code, detail) => {
    expect(text(value)).toEqual({ code, detail });
  });

  it.each([
    ["a bigint", '{"a":{"$milli":"18446744073709551616"}}', { a: 2n ** 64n }],
    ["no bigint, as there is more", '{"$milli":"1","b":2}', { $milli: "1", b: 2 }],
    ["no bigint, as it has no digits", '{"$milli":"one"}', { $milli: "one" }],
    ["a key that looked like the mark", '{"$$milli":"1"}', { $milli: "1" }],
  ])("reads %s", (_, json, value) => {
    expect(decodeJson(json)).toEqual({ ok: true, value });
  });

  it("says what is no JSON", () => {
    expect(decodeJson("{a}")).toEqual({
      ok: false,
      fault: { code: "json-text", detail: expect.stringMatching(/^"\{a\}" is not JSON: /) },
    });
  });

  it("compares without order", () => {
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false);
    expect(sameJson({ a: 1 }, { a: 1n })).toBe(false);
    expect(sameJson(undefined, null)).toBe(false);
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(sameJson([1], { 0: 1 })).toBe(false);
    expect(sameJson({ a: [{ b: 1n }] }, { a: [{ b: 1n }] })).toBe(true);
    expect(sameJson({ a: [{ b: -0 }] }, { a: [{ b: 0 }] })).toBe(true);
  });
});
