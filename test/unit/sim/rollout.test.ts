import { describe, expect, it } from "vitest";
import { planRollout, type SetState, type Strategy, strategyOf } from "#sim/member/rollout";

const all = (replicas: number): SetState => ({ wanted: replicas, active: replicas, ready: replicas });
const none = all(0);
const rolling: Strategy = { type: "RollingUpdate", maxSurge: 1, maxUnavailable: 1 };

describe("the next step of a rollout", () => {
  it.each<[string, number, SetState, SetState[], Strategy, { current: number; old: number[] }]>([
    ["without old pods the present set gets it all", 4, none, [], rolling, { current: 4, old: [] }],
    ["old sets at 0 count as none", 4, all(4), [none], rolling, { current: 4, old: [0] }],
    [
      "new ones within the surge, old ones within the unavailable",
      4,
      none,
      [all(4)],
      rolling,
      { current: 1, old: [3] },
    ],
    [
      "new ones that are not ready yet free no old ones",
      4,
      { wanted: 1, active: 1, ready: 0 },
      [all(3)],
      rolling,
      { current: 2, old: [3] },
    ],
    ["ready new ones do", 4, all(2), [all(3)], rolling, { current: 2, old: [1] }],
    ["it ends with the new ones alone", 4, all(4), [all(1)], rolling, { current: 4, old: [0] }],
    [
      "old ones that are not ready go first",
      4,
      none,
      [{ wanted: 4, active: 4, ready: 2 }],
      rolling,
      { current: 1, old: [2] },
    ],
    [
      "Recreate ends all old ones before it starts",
      4,
      none,
      [all(4)],
      { type: "Recreate" },
      { current: 0, old: [0] },
    ],
    ["and starts once they are gone", 4, none, [none], { type: "Recreate" }, { current: 4, old: [0] }],
  ])("%s", (_what, desired, current, old, strategy, plan) => {
    expect(planRollout({ desired, current, old }, strategy)).toEqual(plan);
  });
});

describe("a rolling update's bounds", () => {
  it.each([
    ["25 % each by default: the surge up, the unavailable down", {}, 10, { maxSurge: 3, maxUnavailable: 2 }],
    [
      "numbers as they are",
      { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
      10,
      { maxSurge: 2, maxUnavailable: 0 },
    ],
    [
      "never both 0",
      { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      10,
      { maxSurge: 0, maxUnavailable: 1 },
    ],
  ])("%s", (_what, strategy, desired, bounds) => {
    expect(strategyOf({ strategy }, desired)).toEqual({ type: "RollingUpdate", ...bounds });
  });
});
