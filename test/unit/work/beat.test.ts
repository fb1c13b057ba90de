import { describe, expect, it } from "vitest";
import type { History } from "#domain/scale/history";
import { evaluatedUpTo, extendLatest } from "#domain/work/beat";

const history: History = {
  recommendations: [
    { replicas: 9, firstMs: 0, lastMs: 30_000 },
    { replicas: 4, firstMs: 45_000, lastMs: 45_000 },
  ],
  scaleUpEvents: [],
  scaleDownEvents: [],
};

describe("the heartbeat (design 1, Histories)", () => {
  it.each<[string, Parameters<typeof evaluatedUpTo>[0], number | undefined]>([
    ["no heartbeat says nothing", undefined, undefined],
    ["the last slot, when it is before this evaluation", { lastMs: 60_000, previousMs: 45_000 }, 60_000],
    [
      "the slot before, when the last is this evaluation's own",
      { lastMs: 75_000, previousMs: 60_000 },
      60_000,
    ],
    [
      "the slot before, when the object failed at the last",
      { lastMs: 60_000, previousMs: 45_000, except: ["shop/web"] },
      45_000,
    ],
    [
      "another object's failure changes nothing",
      { lastMs: 60_000, previousMs: 45_000, except: ["shop/api"] },
      60_000,
    ],
    ["nothing, when both are later", { lastMs: 90_000, previousMs: 75_000 }, undefined],
  ])("%s", (_case, beat, expected) => {
    expect(evaluatedUpTo(beat, "shop/web", 75_000)).toBe(expected);
  });

  it("extends the latest recommendation and leaves the argument alone", () => {
    const extended = extendLatest(history, 60_000);
    expect(extended.recommendations.map(({ lastMs }) => lastMs)).toEqual([30_000, 60_000]);
    expect(history.recommendations[1]?.lastMs).toBe(45_000);
  });

  it.each([[undefined], [45_000], [30_000]])("up to %s it is the same history", (instant) => {
    expect(extendLatest(history, instant)).toBe(history);
  });
});
