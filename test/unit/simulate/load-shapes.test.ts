import { describe, expect, it } from "vitest";
import { LOAD_SHAPES } from "#infra/simulate/load-shapes";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A Monday at midnight. */
const FROM_MS = Date.parse("2026-03-02T00:00:00Z");
const CONTEXT = { fromMs: FROM_MS, spanSeconds: DAY, seed: "1" };

const course = (name: string, context: Partial<typeof CONTEXT> = {}) => {
  const make = LOAD_SHAPES[name];
  if (make === undefined) throw new Error(name);
  return make({ ...CONTEXT, ...context });
};

describe("named shapes go from low (0) to high (1)", () => {
  it.each([
    ["steady", 0, 0.5],
    ["steady", DAY, 0.5],
    ["ramp", 0, 0],
    ["ramp", DAY / 2, 0.5],
    ["ramp", DAY, 1],
    ["step", 0, 0],
    ["step", DAY / 3, 1],
    ["step", (2 * DAY) / 3, 0],
    ["spike", DAY / 2, 0],
    ["spike", DAY / 2 + 30, 0.5],
    ["spike", DAY / 2 + 660, 1],
    ["spike", DAY / 2 + 810, 0.5],
    ["spike", DAY / 2 + 960, 0],
    ["day", 3 * HOUR, 0],
    ["day", 9 * HOUR, 0.5],
    ["day", 15 * HOUR, 1],
    ["week", 15 * HOUR, 1],
    ["week", 5 * DAY + 15 * HOUR, 0.4],
    ["week", 6 * DAY + 15 * HOUR, 0.4],
    ["week", 7 * DAY + 15 * HOUR, 1],
  ])("%s after %d s is %d", (name, seconds, level) => expect(course(name)(seconds)).toBeCloseTo(level, 9));

  it("a day's hours are those of the clock, wherever it starts", () => {
    const noon = course("day", { fromMs: FROM_MS + 12 * HOUR * 1000 });
    expect(noon(3 * HOUR)).toBeCloseTo(1, 9);
  });

  it.each(Object.keys(LOAD_SHAPES))("%s never leaves them", (name) => {
    const at = course(name);
    const levels = Array.from({ length: (7 * DAY) / 60 }, (_, minute) => at(minute * 60));
    expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...levels)).toBeLessThanOrEqual(1);
  });

  it("spiky: a spike in each hour and a half, at least half of high, back at low between them", () => {
    const at = course("spiky");
    for (let period = 0; period < 16; period++) {
      const levels = Array.from({ length: 5400 / 15 }, (_, slot) => at(period * 5400 + slot * 15));
      expect(Math.max(...levels)).toBeGreaterThanOrEqual(0.5);
      expect(levels.at(-1)).toBe(0);
      const high = levels.filter((level) => level > 0).length * 15;
      expect(high).toBeGreaterThanOrEqual(60);
      expect(high).toBeLessThanOrEqual(17 * 60 + 15);
    }
  });

  it.each(["spiky", "noisy"])("%s is another with another seed, and the same with the same", (name) => {
    const levels = (seed: string) => Array.from({ length: 100 }, (_, i) => course(name, { seed })(i * 300));
    expect(levels("a")).toEqual(levels("a"));
    expect(levels("a")).not.toEqual(levels("b"));
  });
});
