import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delaySeconds, isLate, isTurn, nextSlot, slotsAhead, slotToEvaluate } from "#domain/work/slots";

const MINUTE = 1_700_000_040_000;

describe("slots (semantics 4.12: the logical tick, not the wall clock)", () => {
  it.each([
    ["on a slot it is that slot", MINUTE, MINUTE],
    ["a millisecond later it is the next", MINUTE + 1, MINUTE + 15_000],
    ["a millisecond before it is that slot", MINUTE - 1, MINUTE],
  ])("nextSlot: %s", (_case, nowMs, expected) => {
    expect(nextSlot(nowMs, 15)).toBe(expected);
  });

  it("two minutes ahead of a full minute are eight slots, the first at once", () => {
    const slots = slotsAhead(MINUTE, 120, 15);
    expect(slots).toHaveLength(8);
    expect(slots[0]).toBe(MINUTE);
    expect(slots.at(-1)).toBe(MINUTE + 105_000);
  });

  it.each([
    [0, 0],
    [1, 1],
    [999, 1],
    [1_000, 1],
    [1_001, 2],
    [-5_000, 0],
  ])("a slot in %i ms is delayed by %i whole seconds, so that it is never early", (ms, seconds) => {
    expect(delaySeconds(MINUTE, MINUTE + ms)).toBe(seconds);
  });

  it.each([
    [15_000, false],
    [15_001, true],
    [-1_000, false],
  ])("%i ms after its slot, work is late: %s", (ms, late) => {
    expect(isLate(MINUTE + ms, MINUTE, 15)).toBe(late);
  });

  it.each([
    [150_000, 135_000],
    [150_001, 150_000],
    [319_000, 315_000],
    [120_000, 135_000],
  ])("at %i, work for 135,000 is evaluated for %i", (nowMs, evaluatedMs) => {
    expect(slotToEvaluate(nowMs, 135_000, 15)).toBe(evaluatedMs);
  });

  it("each object has exactly one turn in any run of n successive slots", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 20 }), fc.nat(1_000_000), (hash, turns, first) => {
        const slots = Array.from({ length: turns }, (_, i) => (first + i) * 15_000);
        expect(slots.filter((slot) => isTurn(slot, 15, hash, turns))).toHaveLength(1);
      }),
    );
  });
});
