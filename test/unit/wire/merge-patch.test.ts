import { describe, expect, it } from "vitest";
import { mergePatchBetween } from "#wire/merge-patch";

describe("the merge patch between two objects (RFC 7386)", () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }, {}],
    [{ a: [1, 2] }, { a: [2] }, { a: [2] }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, {}],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [{}, { a: { b: {} } }, { a: { b: {} } }],
  ])("%j to %j is %j", (before, after, patch) => expect(mergePatchBetween(before, after)).toEqual(patch));
});
