import { describe, expect, it } from "vitest";
import { recordScale } from "#domain/scale/conclude";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { limitWithBehavior, limitWithoutBehavior } from "#domain/scale/limits";
import { normalize } from "#domain/scale/normalize";
import { recordRecommendation } from "#domain/scale/recommendations";
import { highestRecent, withinRecent } from "#domain/scale/stabilize";
import type { Behavior, ScalingRules } from "#domain/spec/federated-hpa";
import { NOW_MS, remembered, scaleDown, scaleUp } from "#test/unit/scale/fleet";

const second = 1000;

describe("stabilization windows (semantics 4.12)", () => {
  it.each([
    ["without behavior the window's start belongs to it", 300, 10],
    ["… and nothing before", 300.001, 4],
  ])("%s", (_, age, expected) => {
    expect(highestRecent(remembered([10, age]).recommendations, 4, 300, NOW_MS)).toBe(expected);
  });

  it.each([
    ["with behavior the window's start does not belong to it", 300, 4],
    ["… and everything after does", 299.999, 10],
  ])("%s", (_, age, expected) => {
    const windows = { upSeconds: 0, downSeconds: 300 };
    expect(withinRecent(remembered([10, age]).recommendations, 10, 4, windows, NOW_MS)).toBe(expected);
  });

  it("B31: falling load inside the window never scales up: 2, then 3 stays 2, then 1 stays 2", () => {
    const windows = { upSeconds: 300, downSeconds: 300 };
    expect(withinRecent(remembered([2, 60]).recommendations, 2, 3, windows, NOW_MS)).toBe(2);
    expect(withinRecent(remembered([2, 120], [3, 60]).recommendations, 2, 1, windows, NOW_MS)).toBe(2);
  });

  it("B32: up window 300 s, down window 600 s, 21 recommended 400 s ago: 17 stays", () => {
    const windows = { upSeconds: 300, downSeconds: 600 };
    expect(withinRecent(remembered([21, 400]).recommendations, 17, 14, windows, NOW_MS)).toBe(17);
  });

  it.each([
    ["B38: an empty scaleDown waits for the controller's 300 s: recommended 10 299 s ago", 299, 10],
    ["… and 300 s ago", 300, 4],
  ])("%s", (_, age, expected) => {
    const behavior = { scaleUp: scaleUp(), scaleDown: scaleDown() };
    const result = step(10, 4, remembered([10, age]), behavior);
    expect(result.replicas).toBe(expected);
  });

  it("B30: defaults fill what behavior leaves out: first sight holds 4, ten seconds later 8", () => {
    const windows = { stabilizationWindowSeconds: 10 };
    const behavior = { scaleUp: scaleUp(windows), scaleDown: scaleDown(windows) };
    const first = step(4, 16, EMPTY_HISTORY, behavior);
    expect([first.replicas, first.able]).toEqual([4, "ScaleUpStabilized"]);
    const second_ = step(4, 16, first.history, behavior, 10);
    expect([second_.replicas, second_.limited]).toEqual([8, "ScaleUpLimit"]);
  });

  it("S001 (semantics 4.12): 1 → 5 → 10 in two slots of 15 s, the scale events of exactly 15 s are out", () => {
    const windows = { stabilizationWindowSeconds: 10 };
    const behavior = { scaleUp: scaleUp(windows), scaleDown: scaleDown(windows) };
    const first = step(1, 10, remembered([10, 15]), behavior);
    expect(first.replicas).toBe(5);
    const applied = recordScale(first.history, 1, 5, NOW_MS);
    expect(step(5, 10, applied, behavior, 14.9).replicas).toBe(5);
    expect(step(5, 10, applied, behavior, 15).replicas).toBe(10);
  });

  it("first sight of an object: its current count is the first recommendation, so a scale-in waits a window", () => {
    const first = step(10, 4, EMPTY_HISTORY, undefined);
    expect([first.replicas, first.able]).toEqual([10, "ScaleDownStabilized"]);
    expect(step(10, 4, first.history, undefined, 300).replicas).toBe(10);
    expect(step(10, 4, first.history, undefined, 300.001).replicas).toBe(4);
  });
});

describe("limits (semantics 4.12)", () => {
  const bounds = { minReplicas: 1, maxReplicas: 100 };
  it.each([
    ["max(2 × current, 4)", 10, 50, 20, "ScaleUpLimit"],
    ["… at least 4", 1, 50, 4, "ScaleUpLimit"],
    ["max itself", 60, 500, 100, "TooManyReplicas"],
    ["min itself", 5, 0, 1, "TooFewReplicas"],
    ["within all limits", 5, 7, 7, undefined],
  ])("without behavior: %s", (_, current, wanted, replicas, limited) => {
    const result = limitWithoutBehavior(current, wanted, bounds);
    expect([result.replicas, result.limited]).toEqual([replicas, limited]);
  });

  const percent = (value: number): ScalingRules["policies"] => [
    { type: "Percent", value, periodSeconds: 60 },
  ];
  it.each<[string, number, number, Partial<ScalingRules>, Partial<ScalingRules>, number, string | undefined]>(
    [
      [
        "C08: 100 + 10 % is 110.00000000000001 and rounds up to 111",
        100,
        500,
        { policies: percent(10) },
        {},
        111,
        "ScaleUpLimit",
      ],
      [
        "C08: 50 + 10 % is 55.00000000000001 and rounds up to 56",
        50,
        500,
        { policies: percent(10) },
        {},
        56,
        "ScaleUpLimit",
      ],
      [
        "C08: 10 − 90 % is 0.9999999999999998 and is cut to 0, so min",
        10,
        0,
        {},
        { policies: percent(90) },
        1,
        "TooFewReplicas",
      ],
      [
        "selectPolicy Disabled keeps the count: up",
        5,
        9,
        { selectPolicy: "Disabled" },
        {},
        5,
        "ScaleUpLimit",
      ],
      [
        "selectPolicy Disabled keeps the count: down",
        5,
        1,
        {},
        { selectPolicy: "Disabled" },
        5,
        "ScaleDownLimit",
      ],
      ["selectPolicy Min takes the smaller growth", 10, 50, { selectPolicy: "Min" }, {}, 14, "ScaleUpLimit"],
      ["selectPolicy Max takes the larger growth", 10, 50, {}, {}, 20, "ScaleUpLimit"],
      ["a count that stays is within any limit", 5, 5, {}, {}, 5, undefined],
    ],
  )("with behavior: %s", (_, current, wanted, up, down, replicas, limited) => {
    const wide = { ...bounds, maxReplicas: 1000 };
    const rules = { scaleUp: scaleUp(up), scaleDown: scaleDown(down) };
    const result = limitWithBehavior(current, wanted, wide, rules, EMPTY_HISTORY, NOW_MS);
    expect([result.replicas, result.limited]).toEqual([replicas, limited]);
  });

  const twoPolicies: ScalingRules["policies"] = [
    { type: "Percent", value: 10, periodSeconds: 60 },
    { type: "Pods", value: 4, periodSeconds: 60 },
  ];
  it("B34: Min of 10 %/60 s and 4 pods/60 s takes 20 to 18", () => {
    const behavior = {
      scaleUp: scaleUp(),
      scaleDown: scaleDown({ selectPolicy: "Min", policies: twoPolicies }),
    };
    const result = step(20, 2, remembered([2, 400]), behavior);
    expect([result.replicas, result.limited]).toEqual([18, "ScaleDownLimit"]);
  });

  it("B35: Max of the same, min 2, one step per period: 16, 12, 8, 4, 2", () => {
    const behavior = { scaleUp: scaleUp(), scaleDown: scaleDown({ policies: twoPolicies }) };
    const counts = trajectory(20, 2, behavior, [0, 60, 120, 180, 240], 2);
    expect(counts).toEqual([16, 12, 8, 4, 2]);
  });

  it("B41: late ticks, 4 pods/15 s: each tick adds 4, however far apart", () => {
    const policies: ScalingRules["policies"] = [{ type: "Pods", value: 4, periodSeconds: 15 }];
    const behavior = { scaleUp: scaleUp({ policies }), scaleDown: scaleDown() };
    expect(trajectory(4, 40, behavior, [0, 60, 170, 235], 40)).toEqual([8, 12, 16, 20]);
  });

  it("a scale-in gives budget back: what was removed within the period counts to its start", () => {
    const policies: ScalingRules["policies"] = [{ type: "Pods", value: 4, periodSeconds: 60 }];
    const rules = { scaleUp: scaleUp({ policies }), scaleDown: scaleDown() };
    const history = recordScale(EMPTY_HISTORY, 10, 5, NOW_MS - 30 * second);
    const result = limitWithBehavior(5, 50, bounds, rules, history, NOW_MS);
    expect(result.replicas).toBe(14);
  });
});

describe("recommendations as runs", () => {
  it("the same value goes on, another starts a run", () => {
    const history = [5, 5, 7].reduce(
      (former, replicas, i) => recordRecommendation(former, replicas, NOW_MS + i * second, 300),
      EMPTY_HISTORY,
    );
    // 5 stays: it is the lower of the two, so a minimum can still ask for it.
    expect(history.recommendations).toEqual([
      { replicas: 5, firstMs: NOW_MS, lastMs: NOW_MS + second },
      { replicas: 7, firstMs: NOW_MS + 2 * second, lastMs: NOW_MS + 2 * second },
    ]);
  });

  it("a run between two later ones is outdone by both and drops out", () => {
    const history = recordRecommendation(remembered([6, 40], [9, 30], [3, 20]), 5, NOW_MS, 300);
    expect(history.recommendations.map(({ replicas }) => replicas)).toEqual([9, 3, 5]);
  });

  it("B37: hours later the old maxima are gone and only the new one is left", () => {
    const twenty = remembered(...Array.from({ length: 20 }, (_, i) => [100 - i, 9000 - i] as const));
    const result = step(10, 4, twenty, undefined);
    expect(result.replicas).toBe(4);
    expect(result.history.recommendations.map(({ replicas }) => replicas)).toEqual([4]);
  });

  it("B96: a recommendation older than the window is not asked, though it is still stored: 50 400 s ago, now 5", () => {
    const result = step(50, 5, remembered([50, 400]), undefined);
    expect(result.replicas).toBe(5);
  });

  it("an hour of different values keeps only what a window can ask for", () => {
    let history: History = EMPTY_HISTORY;
    for (let i = 0; i < 240; i++)
      history = recordRecommendation(history, 50 + (i % 7), NOW_MS + i * 15 * second, 300);
    expect(history.recommendations.length).toBeLessThanOrEqual(8);
  });
});

describe("scale events in slots", () => {
  it("without behavior they are kept for the longest period there is", () => {
    const at = (seconds: number) => NOW_MS + seconds * second;
    let history = recordScale(EMPTY_HISTORY, 1, 3, at(0));
    history = recordScale(history, 3, 4, at(1));
    history = recordScale(history, 4, 7, at(1800));
    expect(history.scaleUpEvents).toEqual([
      { change: 1, atMs: at(1) },
      { change: 3, atMs: at(1800) },
    ]);
  });

  it("with behavior the last one older than its direction's periods gives its slot away", () => {
    const events = [0, 10, 40].map((age) => ({ change: age + 1, atMs: NOW_MS - age * second }));
    const history = { ...EMPTY_HISTORY, scaleUpEvents: events, longestPeriodSeconds: { up: 5, down: 600 } };
    expect(recordScale(history, 1, 9, NOW_MS).scaleUpEvents).toEqual([
      { change: 1, atMs: NOW_MS },
      { change: 11, atMs: NOW_MS - 10 * second },
      { change: 8, atMs: NOW_MS },
    ]);
  });

  it("no change is no event", () => {
    expect(recordScale(EMPTY_HISTORY, 4, 4, NOW_MS)).toEqual(EMPTY_HISTORY);
  });
});

function step(
  current: number,
  proposed: number,
  history: History,
  behavior: Behavior | undefined,
  afterSeconds = 0,
) {
  const rules = {
    minReplicas: 1,
    maxReplicas: 100,
    downscaleStabilizationSeconds: 300,
    ...(behavior === undefined ? {} : { behavior }),
  };
  return normalize(current, proposed, rules, history, NOW_MS + afterSeconds * second);
}

/** The counts at `atSeconds`, with the same wish each time, each applied at once. */
function trajectory(
  start: number,
  wish: number,
  behavior: Behavior,
  atSeconds: readonly number[],
  bound: number,
): number[] {
  let history = remembered([wish, 400]);
  let current = start;
  return atSeconds.map((at) => {
    const nowMs = NOW_MS + at * second;
    const rules = {
      behavior,
      minReplicas: Math.min(2, bound),
      maxReplicas: 40,
      downscaleStabilizationSeconds: 300,
    };
    const result = normalize(current, wish, rules, history, nowMs);
    history = recordScale(result.history, current, result.replicas, nowMs);
    current = result.replicas;
    return current;
  });
}
