import { describe, expect, it } from "vitest";
import type { Claim } from "#domain/cron/claim";
import { decideRuns } from "#domain/cron/decide-runs";
import type { PlannedRun } from "#domain/cron/plan";
import type { CronTarget } from "#domain/cron/target";

type Targets = { targetReplicas?: number; targetMinReplicas?: number; targetMaxReplicas?: number };

function run(name: string, targets: Targets, more: Partial<PlannedRun> = {}): PlannedRun {
  const limits = { successfulHistoryLimit: 3, failedHistoryLimit: 3 };
  const rule = { name, schedule: "0 9 * * *", suspend: false, ...limits, ...targets };
  return { rule, hash: name, instantMs: 0, skipped: 0, untilMs: 1, isExpired: false, ...more };
}

const identity = { uid: "u", generation: 7, resourceVersion: "70" };
const scale = (replicas: number): CronTarget => ({ kind: "scale", ...identity, replicas });
const bounds = (minReplicas: number | undefined, maxReplicas: number): CronTarget => ({
  kind: "bounds",
  ...identity,
  maxReplicas,
  ...(minReplicas === undefined ? {} : { minReplicas }),
});
const claimed = (generation: number): Claim => ({
  startedMs: 0,
  leaseUntilMs: 45_000,
  target: { uid: "u", generation },
});

function decide(entries: readonly (PlannedRun | [PlannedRun, Claim])[], target: CronTarget) {
  const list = entries.map((entry) =>
    "length" in entry ? { run: entry[0], claim: entry[1] } : { run: entry },
  );
  const { verdicts, write } = decideRuns(list, target);
  return { results: verdicts.map(({ result }) => result), write };
}

describe("several runs of one evaluation (D-26): the later wins, one write, all have a verdict", () => {
  it.each<[string, PlannedRun[], CronTarget, string[], object | undefined]>([
    ["one that changes the scale", [run("a", { targetReplicas: 5 })], scale(1), ["apply"], { replicas: 5 }],
    ["one whose value is there", [run("a", { targetReplicas: 5 })], scale(5), ["apply"], undefined],
    ["0 is a value", [run("a", { targetReplicas: 0 })], scale(5), ["apply"], { replicas: 0 }],
    [
      "two on a scale",
      [run("a", { targetReplicas: 5 }), run("b", { targetReplicas: 8 })],
      scale(1),
      ["overridden", "apply"],
      { replicas: 8 },
    ],
    [
      "two on a scale, the later one says what is there",
      [run("a", { targetReplicas: 5 }), run("b", { targetReplicas: 1 })],
      scale(1),
      ["overridden", "apply"],
      undefined,
    ],
    [
      "bounds that only together are sound",
      [run("a", { targetMinReplicas: 15 }), run("b", { targetMaxReplicas: 30 })],
      bounds(2, 10),
      ["apply", "apply"],
      { minReplicas: 15, maxReplicas: 30 },
    ],
    [
      "one bound of two is set again",
      [run("a", { targetMinReplicas: 3, targetMaxReplicas: 9 }), run("b", { targetMinReplicas: 5 })],
      bounds(2, 10),
      ["apply", "apply"],
      { minReplicas: 5, maxReplicas: 9 },
    ],
    [
      "B40: the one that crosses fails, the other is done",
      [run("a", { targetMaxReplicas: 12 }), run("b", { targetMinReplicas: 15 })],
      bounds(2, 10),
      ["apply", "failed"],
      { maxReplicas: 12 },
    ],
    [
      "B40: one that would cross is no failure when a later one sets the same bound",
      [run("a", { targetMinReplicas: 15 }), run("b", { targetMinReplicas: 4 })],
      bounds(2, 10),
      ["overridden", "apply"],
      { minReplicas: 4 },
    ],
    ["B40: a max below the min", [run("a", { targetMaxReplicas: 1 })], bounds(2, 10), ["failed"], undefined],
    [
      "B40: equal bounds are sound",
      [run("a", { targetMinReplicas: 10 })],
      bounds(2, 10),
      ["apply"],
      { minReplicas: 10 },
    ],
    [
      "B62: no min means 1 when it is compared",
      [run("a", { targetMaxReplicas: 1 })],
      bounds(undefined, 10),
      ["apply"],
      { maxReplicas: 1 },
    ],
    [
      "B62: and is set though it means the same",
      [run("a", { targetMinReplicas: 1 })],
      bounds(undefined, 10),
      ["apply"],
      { minReplicas: 1 },
    ],
    [
      "a rule without targetReplicas on a scale",
      [run("a", { targetMinReplicas: 3 })],
      scale(1),
      ["failed"],
      undefined,
    ],
    ["a negative count", [run("a", { targetReplicas: -1 })], scale(1), ["failed"], undefined],
    ["a bound of 0", [run("a", { targetMinReplicas: 0 })], bounds(2, 10), ["failed"], undefined],
  ])("%s", (_case, runs, target, results, write) => {
    expect(decide(runs, target)).toEqual({ results, write });
  });
});

describe("runs that an earlier invocation has claimed (D-24)", () => {
  const five = run("a", { targetReplicas: 5 });
  const eight = run("b", { targetReplicas: 8 });
  it.each<[string, [PlannedRun, Claim][], CronTarget, string[], object | undefined]>([
    ["the value is there: written", [[five, claimed(6)]], scale(5), ["applied"], undefined],
    [
      "nobody touched the target: not written, done now",
      [[five, claimed(7)]],
      scale(1),
      ["apply"],
      { replicas: 5 },
    ],
    ["somebody did: superseded", [[five, claimed(6)]], scale(3), ["superseded"], undefined],
    [
      "another object of the name: superseded",
      [[five, { ...claimed(7), target: { uid: "v", generation: 7 } }]],
      scale(3),
      ["superseded"],
      undefined,
    ],
    [
      "two in one write: the later value is there",
      [
        [five, claimed(6)],
        [eight, claimed(6)],
      ],
      scale(8),
      ["overridden", "applied"],
      undefined,
    ],
    [
      "two in one write: untouched",
      [
        [five, claimed(7)],
        [eight, claimed(7)],
      ],
      scale(1),
      ["overridden", "apply"],
      { replicas: 8 },
    ],
    [
      "written, and its time is up: that is found out all the same",
      [[{ ...five, isExpired: true }, claimed(6)]],
      scale(5),
      ["applied"],
      undefined,
    ],
    [
      "not written, and its time is up",
      [[{ ...five, isExpired: true }, claimed(7)]],
      scale(1),
      ["failed"],
      undefined,
    ],
  ])("%s", (_case, entries, target, results, write) => {
    expect(decide(entries, target)).toEqual({ results, write });
  });

  it("a claimed run that stands aside does not keep a new one from being done", () => {
    expect(decide([[five, claimed(6)], eight], scale(3))).toEqual({
      results: ["superseded", "apply"],
      write: { replicas: 8 },
    });
  });
});

describe("runs whose time is up", () => {
  it.each([
    ["never tried: missed", run("a", { targetReplicas: 5 }, { isExpired: true }), "missed"],
    ["tried in vain: failed", run("a", { targetReplicas: 5 }, { isExpired: true, fault: "429" }), "failed"],
  ])("%s, nothing is written", (_case, entry, result) => {
    expect(decide([entry], scale(1))).toEqual({ results: [result], write: undefined });
  });
});
