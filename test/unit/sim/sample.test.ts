import { describe, expect, it } from "vitest";
import { averageNano, noiseFactor, sampleInstantMs, sharesOver, type Usage } from "#sim/load/sample";
import { withRun } from "#sim/load/serving";

const times = { intervalSeconds: 15, windowSeconds: 15, offsetSeconds: 5 };

describe("sample instants", () => {
  it.each([
    [4_999, -10_000],
    [5_000, 5_000],
    [19_999, 5_000],
    [20_000, 20_000],
  ])("the last one at %d ms is %d ms", (nowMs, atMs) => {
    expect(sampleInstantMs(nowMs, times)).toBe(atMs);
  });
});

describe("shares of a window", () => {
  const demand = { shape: { kind: "constant", milli: 600 }, idleMilli: 0 } as const;

  it("are the demand over the pods that served in each second", () => {
    const serving = [
      { sinceMs: 0, pods: 2 },
      { sinceMs: 12_000, pods: 6 },
    ];
    expect([...sharesOver({ serving, sinceMs: 0 }, demand, 15_000, 5)]).toEqual([300, 300, 100, 100, 100]);
  });

  it("are 0 while nobody serves", () => {
    const serving = [{ sinceMs: 13_000, pods: 1 }];
    expect([...sharesOver({ serving, sinceMs: 0 }, demand, 15_000, 4)]).toEqual([0, 0, 600, 600]);
  });
});

describe("a pod's average over its window", () => {
  const usage: Usage = {
    shares: Float64Array.of(100, 100, 400, 400),
    idleMilli: 0,
    limitMilli: Number.POSITIVE_INFINITY,
    noise: 1,
    fromMs: 0,
    untilMs: Number.POSITIVE_INFINITY,
  };
  it.each<[string, Partial<Usage>, number]>([
    ["of a pod that served all the time is its average share", {}, 250],
    ["counts only the seconds in which it served", { fromMs: 8_000 }, 200],
    ["ends with its deletion", { untilMs: 8_000 }, 50],
    ["never passes the limit in any second", { limitMilli: 200 }, 150],
    ["has the idle use beside it", { idleMilli: 10 }, 260],
    ["and the idle use alone where it never served", { idleMilli: 10, fromMs: Number.POSITIVE_INFINITY }, 10],
    ["is louder by its noise", { noise: 1.1 }, 275],
    ["but not above the limit", { noise: 1.5, limitMilli: 400 }, 275],
  ])("%s", (_what, change, milli) => {
    expect(averageNano({ ...usage, ...change }, 10_000)).toBe(milli * 1_000_000);
  });
});

describe("noise", () => {
  it("stays within its percent and takes either side", () => {
    const factors = Array.from({ length: 200 }, (_, i) => noiseFactor(`pod-${i}`, 20));
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.8);
    expect(Math.max(...factors)).toBeLessThanOrEqual(1.2);
    expect(factors.filter((factor) => factor > 1).length).toBeGreaterThan(60);
    expect(factors.filter((factor) => factor < 1).length).toBeGreaterThan(60);
  });

  it("is the same for the same name, and none at 0 percent", () => {
    expect(noiseFactor("a", 20)).toBe(noiseFactor("a", 20));
    expect(noiseFactor("a", 0)).toBe(1);
  });
});

describe("the record of serving pods", () => {
  const runs = [
    { sinceMs: 0, pods: 1 },
    { sinceMs: 10_000, pods: 5 },
    { sinceMs: 20_000, pods: 10 },
  ];
  it("grows by one run", () => {
    expect(withRun(runs, { sinceMs: 30_000, pods: 1 }, -1)).toEqual([...runs, { sinceMs: 30_000, pods: 1 }]);
  });
  it("replaces a run of the same second", () => {
    expect(withRun(runs, { sinceMs: 20_000, pods: 9 }, -1)).toEqual([
      ...runs.slice(0, 2),
      { sinceMs: 20_000, pods: 9 },
    ]);
  });
  it("forgets runs that ended before the oldest sample, and keeps the one that holds then", () => {
    expect(withRun(runs, { sinceMs: 90_000, pods: 2 }, 15_000)).toEqual([
      ...runs.slice(1),
      { sinceMs: 90_000, pods: 2 },
    ]);
  });
});
