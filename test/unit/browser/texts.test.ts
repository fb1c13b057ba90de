import { describe, expect, it } from "vitest";
import { amountText } from "#infra/browser/charts/amount-text";
import { clusterLayers } from "#infra/browser/charts/cluster-layers";
import { stack } from "#infra/browser/charts/stack";
import { tickText } from "#infra/browser/charts/time-text";
import type { Unit } from "#infra/browser/charts/timeline";
import { totalsText } from "#infra/browser/page/totals-text";

describe("what charts say", () => {
  it.each<[Unit, number | null, string]>([
    ["%", 104, "104%"],
    ["%", 0.5, "0.5%"],
    ["cores", 0.25, "250m"],
    ["cores", 1.5, "1.5"],
    ["cores", 0, "0"],
    ["bytes", 1.5 * 1024 ** 3, "1.5Gi"],
    ["bytes", 512, "512"],
    ["", 12_500, "12.5k"],
    ["", 3_400_000, "3.4M"],
    ["", 40, "40"],
    ["", null, "–"],
    ["", Number.NaN, "–"],
  ])("an amount in %j: %j is %s", (unit, value, text) => {
    expect(amountText(unit, value)).toBe(text);
  });

  it.each<[string, number, string]>([
    ["seconds where ticks are seconds apart", 15, "09:01:15"],
    ["minutes where they are minutes apart", 60, "09:01"],
    ["the day where they are days apart", 86_400, "03-02"],
  ])("a tick says %s", (_case, step, text) => {
    expect(tickText(Date.UTC(2026, 2, 2, 9, 1, 15) / 1000, step)).toBe(text);
  });

  it("a tick at midnight says the day", () => {
    expect(tickText(Date.UTC(2026, 2, 3) / 1000, 7_200)).toBe("03-03");
  });
});

describe("layers of clusters", () => {
  it("stand on each other; what is unknown has no height", () => {
    const layers = [
      { name: "a", replicas: [1, 2] },
      { name: "b", replicas: [3, null] },
    ];
    expect(stack(layers)).toEqual([
      [1, 2],
      [4, 2],
    ]);
    expect(stack([])).toEqual([]);
  });

  it("beyond eight the smallest are one, and nothing is lost", () => {
    const clusters = Array.from({ length: 12 }, (_, index) => ({
      name: `c${index}`,
      replicas: [index, null],
    }));
    const layers = clusterLayers(clusters);
    expect(layers.map(({ name }) => name)).toEqual(["c5", "c6", "c7", "c8", "c9", "c10", "c11", "5 others"]);
    expect(layers.reduce((sum, { replicas }) => sum + (replicas[0] ?? 0), 0)).toBe(66);
  });
});

describe("the fleet in one line", () => {
  it.each<[string, Parameters<typeof totalsText>, string]>([
    [
      "with what is not as it should be",
      [
        [
          { name: "a", state: "ready", wanted: 5, ready: 5 },
          { name: "b", state: "not ready", wanted: 5, ready: 4 },
        ],
        [
          { key: "x/a", wanted: 9, ready: 8, state: "steady" },
          { key: "x/b", wanted: 1, ready: 1, state: "limited" },
          { key: "x/c", state: "trouble" },
        ],
      ],
      "3 objects, 1 limited, 1 in trouble · 2 clusters, 1 ready · 9 of 10 replicas ready",
    ],
    [
      "without what a real hub does not tell",
      [[{ name: "a", state: "ready", wanted: 1 }], [{ key: "x/a", wanted: 1, state: "steady" }]],
      "1 object · 1 cluster, all ready · 1 replica",
    ],
  ])("%s", (_case, [clusters, objects], text) => {
    expect(totalsText(clusters, objects)).toBe(text);
  });
});
