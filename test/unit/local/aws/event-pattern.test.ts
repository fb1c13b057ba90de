import { describe, expect, it } from "vitest";
import { compilePattern } from "#infra/local/aws/events/pattern";

const EVENT = {
  version: "0",
  "detail-type": "ScaleDecided",
  source: "mainsheet.reconcile",
  time: "2026-11-30T12:00:15Z",
  resources: ["hub/shop/web", "hub/shop/api"],
  detail: {
    name: "web",
    Hub: "EU-1",
    replicas: 10,
    ratio: 1.5,
    dryRun: false,
    reason: null,
    empty: "",
    none: [],
    ip: "10.0.0.7",
    ip6: "2001:db8::7",
    path: "a*b\\c",
    clusters: [
      { name: "member1", replicas: 4, zone: { id: "a" } },
      { name: "member2", replicas: 6, zone: { id: "b" } },
    ],
    $or: "a field",
  },
};

/** A pattern over the event, or over its detail. */
const detail = (pattern: object) => ({ detail: pattern });

/** EventBridge User Guide, "Comparison operators", row by row. */
const CASES: readonly (readonly [string, object, boolean])[] = [
  ["equals", { source: ["mainsheet.reconcile"] }, true],
  ["equals: case counts", { source: ["Mainsheet.reconcile"] }, false],
  ["equals: a prefix is not equal", { source: ["mainsheet"] }, false],
  ["one of a list suffices", { source: ["a", "mainsheet.reconcile"] }, true],
  ["all fields must match", { source: ["mainsheet.reconcile"], version: ["1"] }, false],
  ["nested fields", detail({ name: ["web"], replicas: [10] }), true],
  ["a number equals a number", detail({ replicas: [10.0] }), true],
  ["a number is not its text", detail({ replicas: ["10"] }), false],
  ["a boolean", detail({ dryRun: [false] }), true],
  ["a boolean is not the other", detail({ dryRun: [true] }), false],
  ["null matches null", detail({ reason: [null] }), true],
  ["null does not match a missing field", detail({ missing: [null] }), false],
  ["null does not match an empty text", detail({ empty: [null] }), false],
  ["an empty text", detail({ empty: [""] }), true],
  ["a missing field", detail({ missing: ["x"] }), false],
  ["a field of something that has none", detail({ name: { first: ["web"] } }), false],
  ["an object is no value", detail({ clusters: ["member1"] }), false],

  ["an array matches by one element", { resources: ["hub/shop/api"] }, true],
  ["an array without the element", { resources: ["hub/shop/db"] }, false],
  ["a field in the objects of an array", detail({ clusters: { name: ["member2"] } }), true],
  ["two fields of the same element", detail({ clusters: { name: ["member2"], replicas: [6] } }), true],
  ["two fields of different elements", detail({ clusters: { name: ["member1"], replicas: [6] } }), false],
  ["deep fields of the same element", detail({ clusters: { name: ["member1"], zone: { id: ["a"] } } }), true],
  [
    "deep fields of different elements",
    detail({ clusters: { name: ["member1"], zone: { id: ["b"] } } }),
    false,
  ],

  ["prefix", { source: [{ prefix: "mainsheet." }] }, true],
  ["prefix: not", { source: [{ prefix: "aws." }] }, false],
  ["prefix of a time", { time: [{ prefix: "2026-11-30" }] }, true],
  ["prefix ignoring case", detail({ Hub: [{ prefix: { "equals-ignore-case": "eu" } }] }), true],
  ["prefix matches no number", detail({ replicas: [{ prefix: "1" }] }), false],
  ["suffix", { resources: [{ suffix: "/api" }] }, true],
  ["suffix: not", { source: [{ suffix: ".sweep" }] }, false],
  ["suffix ignoring case", detail({ Hub: [{ suffix: { "equals-ignore-case": "u-1" } }] }), true],
  ["equals-ignore-case", detail({ Hub: [{ "equals-ignore-case": "eu-1" }] }), true],
  ["equals-ignore-case: not", detail({ Hub: [{ "equals-ignore-case": "eu-2" }] }), false],

  ["anything-but a text", detail({ name: [{ "anything-but": "api" }] }), true],
  ["anything-but: that text", detail({ name: [{ "anything-but": "web" }] }), false],
  ["anything-but a list", detail({ name: [{ "anything-but": ["web", "api"] }] }), false],
  ["anything-but a number", detail({ replicas: [{ "anything-but": 9 }] }), true],
  ["anything-but: that number", detail({ replicas: [{ "anything-but": [9, 10] }] }), false],
  ["anything-but needs a value", detail({ missing: [{ "anything-but": "x" }] }), false],
  ["anything-but: an array with another element", { resources: [{ "anything-but": "hub/shop/web" }] }, true],
  ["anything-but prefix", detail({ name: [{ "anything-but": { prefix: "we" } }] }), false],
  ["anything-but prefixes", detail({ name: [{ "anything-but": { prefix: ["a", "b"] } }] }), true],
  ["anything-but suffix", detail({ name: [{ "anything-but": { suffix: "eb" } }] }), false],
  [
    "anything-but ignoring case",
    detail({ Hub: [{ "anything-but": { "equals-ignore-case": ["eu-1"] } }] }),
    false,
  ],
  ["anything-but wildcard", detail({ name: [{ "anything-but": { wildcard: "w*" } }] }), false],

  ["numeric =", detail({ replicas: [{ numeric: ["=", 10] }] }), true],
  ["numeric range", detail({ replicas: [{ numeric: [">", 0, "<=", 10] }] }), true],
  ["numeric range: outside", detail({ replicas: [{ numeric: [">", 0, "<", 10] }] }), false],
  ["numeric of a fraction", detail({ ratio: [{ numeric: [">=", 1.5] }] }), true],
  ["numeric matches no text", detail({ name: [{ numeric: [">", 0] }] }), false],

  ["cidr", detail({ ip: [{ cidr: "10.0.0.0/24" }] }), true],
  ["cidr: outside", detail({ ip: [{ cidr: "10.0.1.0/24" }] }), false],
  ["cidr of everything", detail({ ip: [{ cidr: "0.0.0.0/0" }] }), true],
  ["cidr of IPv6", detail({ ip6: [{ cidr: "2001:db8::/32" }] }), true],
  ["cidr matches no other text", detail({ name: [{ cidr: "10.0.0.0/24" }] }), false],

  ["exists", detail({ name: [{ exists: true }] }), true],
  ["exists: null is there", detail({ reason: [{ exists: true }] }), true],
  ["exists: not", detail({ missing: [{ exists: true }] }), false],
  ["exists false", detail({ missing: [{ exists: false }] }), true],
  ["exists false: it is there", detail({ name: [{ exists: false }] }), false],
  ["exists false of an empty array", detail({ none: [{ exists: false }] }), true],
  ["exists looks at leaves only", detail({ clusters: [{ exists: true }] }), false],
  ["exists false or a value", detail({ dryRun: [{ exists: false }, false] }), true],
  ["exists false below something missing", { other: { deep: [{ exists: false }] } }, true],

  ["wildcard", { source: [{ wildcard: "main*.re*" }] }, true],
  ["wildcard: whole text", { source: [{ wildcard: "main*.re" }] }, false],
  ["wildcard for nothing", { source: [{ wildcard: "mainsheet*.reconcile" }] }, true],
  ["wildcard: dots are dots", { source: [{ wildcard: "mainsheet?reconcile" }] }, false],
  ["wildcard escaped", detail({ path: [{ wildcard: "a\\*b\\\\c" }] }), true],
  ["wildcard escaped: no star", detail({ name: [{ wildcard: "w\\*" }] }), false],

  ["$or", { $or: [{ source: ["x"] }, { detail: { name: ["web"] } }] }, true],
  ["$or: none", { $or: [{ source: ["x"] }, { source: ["y"] }] }, false],
  ["$or beside a field", { version: ["1"], $or: [{ source: [{ exists: true }] }, { source: ["y"] }] }, false],
  [
    "$or inside",
    detail({ $or: [{ replicas: [{ numeric: [">", 50] }] }, { ratio: [{ numeric: [">", 1] }] }] }),
    true,
  ],
  [
    "$or in the same element",
    detail({ clusters: { name: ["member1"], $or: [{ replicas: [6] }, { replicas: [5] }] } }),
    false,
  ],
  ["a field called $or", detail({ $or: ["a field"] }), true],
];

describe("event patterns", () => {
  it.each(CASES)("%s: %j → %s", (_what, pattern, expected) => {
    expect(compilePattern(pattern as Record<string, unknown>)(EVENT)).toBe(expected);
  });

  it.each([
    ["an empty pattern", {}, "it must not be empty"],
    ["an empty object", { detail: {} }, "detail must not be empty"],
    ["a value without its list", { source: "a" }, "source must be an object or a list of values"],
    ["an empty list", { detail: { name: [] } }, "detail.name must name a value"],
    [
      "an unknown operator",
      { source: [{ infix: "a" }] },
      'source has {"infix":"a"}, which is not one comparison',
    ],
    ["two operators at once", { source: [{ prefix: "a", suffix: "b" }] }, "which is not one comparison"],
    ["a range the wrong way round", { n: [{ numeric: ["<", 5, ">", 0] }] }, "n has numeric, which takes"],
    ["half a bound", { n: [{ numeric: [">"] }] }, "n has numeric, which takes"],
    ["a text bound", { n: [{ numeric: [">", "5"] }] }, "n has numeric, which takes"],
    ["no network", { n: [{ cidr: "10.0.0.0" }] }, "n has cidr, which takes"],
    ["a network of 33 bits", { n: [{ cidr: "10.0.0.0/33" }] }, "n has cidr, which takes"],
    ["exists of a text", { n: [{ exists: "true" }] }, "n has exists, which takes true or false"],
    ["anything-but a boolean", { n: [{ "anything-but": true }] }, "n has anything-but, which takes"],
    ["anything-but nothing", { n: [{ "anything-but": [] }] }, "n has anything-but of nothing"],
    [
      "anything-but numeric",
      { n: [{ "anything-but": { numeric: [">", 1] } }] },
      "n has anything-but, which takes one of",
    ],
    ["two stars", { n: [{ wildcard: "a**" }] }, "n has wildcard with **"],
    ["a lone backslash", { n: [{ wildcard: "a\\b" }] }, "n has wildcard with \\"],
    ["a prefix of a number", { n: [{ prefix: 1 }] }, "n has prefix, which takes a text"],
  ])("refuses %s, and says where", (_what, pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(`Event pattern is not valid. Reason: `);
    expect(() => compilePattern(pattern)).toThrow(reason);
  });
});
