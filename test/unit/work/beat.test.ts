import { describe, expect, it } from "vitest";
import type { History } from "#domain/scale/history";
import { evaluatedUpTo, extendLatest, nextBeat } from "#domain/work/beat";

const history: History = {
  recommendations: [
    { replicas: 9, firstMs: 0, lastMs: 30_000 },
    { replicas: 4, firstMs: 45_000, lastMs: 45_000 },
  ],
  scaleUpEvents: [],
  scaleDownEvents: [],
};

describe("the heartbeat (design 1, Histories)", () => {
  it.each<[string, Parameters<typeof evaluatedUpTo>[0], number]>([
    ["no heartbeat says nothing", undefined, 0],
    ["its last slot", { lastMs: 60_000 }, 60_000],
    [
      "the slot that it names, when the object failed since",
      { lastMs: 60_000, except: { "shop/web": 30_000 } },
      30_000,
    ],
    ["another object's failure changes nothing", { lastMs: 60_000, except: { "shop/api": 30_000 } }, 60_000],
  ])("speaks up to: %s", (_case, beat, expected) => {
    expect(evaluatedUpTo(beat, "shop/web")).toBe(expected);
  });

  it("of an object that fails slot after slot speaks up to the slot before the first failure (storm seed 3)", () => {
    const beats = [
      nextBeat(undefined, 15_000, []),
      nextBeat({ lastMs: 15_000 }, 30_000, ["shop/web"]),
      nextBeat({ lastMs: 30_000, except: { "shop/web": 15_000 } }, 45_000, ["shop/web"]),
      nextBeat({ lastMs: 45_000, except: { "shop/web": 15_000 } }, 60_000, []),
    ];
    expect(beats.map((beat) => evaluatedUpTo(beat, "shop/web"))).toEqual([15_000, 15_000, 15_000, 60_000]);
    expect(beats.map((beat) => evaluatedUpTo(beat, "shop/api"))).toEqual([15_000, 30_000, 45_000, 60_000]);
  });

  it("extends the latest recommendation and leaves the argument alone", () => {
    const extended = extendLatest(history, 60_000);
    expect(extended.recommendations.map(({ lastMs }) => lastMs)).toEqual([30_000, 60_000]);
    expect(history.recommendations[1]?.lastMs).toBe(45_000);
  });

  it.each([[0], [45_000], [30_000]])("up to %s it is the same history", (instant) => {
    expect(extendLatest(history, instant)).toBe(history);
  });
});
