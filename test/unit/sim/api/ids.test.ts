import { expect, it } from "vitest";
import { seededIds } from "#sim/api/ids";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it("answers the same for the same seed and number, and otherwise something else", () => {
  const numbers = Array.from({ length: 5000 }, (_, n) => n);
  const uids = numbers.map((n) => seededIds("a").uid(n));
  expect(uids.every((uid) => UUID.test(uid))).toBe(true);
  expect(new Set(uids).size).toBe(uids.length);
  expect(numbers.map((n) => seededIds("a").uid(n))).toEqual(uids);
  expect(seededIds("b").uid(1)).not.toBe(seededIds("a").uid(1));
});

it("makes suffixes from the alphabet of Kubernetes, another one for each attempt", () => {
  const ids = seededIds("a");
  const suffixes = Array.from({ length: 8 }, (_, attempt) => ids.suffix(7, attempt));
  expect(suffixes.every((suffix) => /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(suffix))).toBe(true);
  expect(new Set(suffixes).size).toBe(8);
});
