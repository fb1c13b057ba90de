import { describe, expect, it } from "vitest";
import type { CronState } from "#domain/cron/cron-state";
import { planCron } from "#domain/cron/plan";
import type { CronFederatedHpa, CronRule } from "#domain/spec/cron-federated-hpa";

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);

function rule(name: string, schedule: string, more: Partial<CronRule> = {}): CronRule {
  const limits = { successfulHistoryLimit: 3, failedHistoryLimit: 3 };
  return { name, schedule, suspend: false, targetReplicas: 5, ...limits, ...more };
}

function object(rules: readonly CronRule[], more: Partial<CronFederatedHpa> = {}): CronFederatedHpa {
  return {
    namespace: "default",
    name: "shop",
    uid: "u",
    generation: 1,
    resourceVersion: "1",
    annotations: {},
    createdMs: at("08:00:00"),
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
    rules,
    executionHistories: [],
    invalid: [],
    ...more,
  };
}

/** The state after an evaluation at this instant. */
function evaluated(cron: CronFederatedHpa, time: string): CronState {
  return { ...planCron(cron, {}, at(time)).state, version: 1, open: [] };
}

const due = (plan: ReturnType<typeof planCron>) =>
  plan.runs.map((run) => [run.rule.name, new Date(run.instantMs).toISOString().slice(11, 16), run.skipped]);

describe("an object seen for the first time", () => {
  const daily = rule("a", "30 8 * * *");

  it.each<[string, Partial<CronFederatedHpa>, unknown[]]>([
    ["made before the instant: runs it", {}, [["a", "08:30", 0]]],
    ["made after it: does not", { createdMs: at("08:30:10") }, []],
    ["whose spec was written after it: does not", { specWrittenMs: at("08:31:00") }, []],
    [
      "that someone else has run, as its status tells: does not",
      {
        executionHistories: [
          {
            ruleName: "a",
            successfulExecutions: [{ scheduleMs: at("08:30:00"), executionMs: at("08:30:01") }],
            failedExecutions: [],
          },
        ],
      },
      [],
    ],
  ])("%s", (_case, more, runs) => {
    expect(due(planCron(object([daily], more), {}, at("08:33:00")))).toEqual(runs);
  });

  it("is not made up for what lies beyond the deadline", () => {
    expect(due(planCron(object([daily]), {}, at("08:41:00")))).toEqual([]);
  });

  it("starts where the hub's heartbeat ends, whatever became of its state", () => {
    expect(due(planCron(object([daily]), { beatUntilMs: at("08:32:00") }, at("08:33:00")))).toEqual([]);
  });
});

describe("what an evaluation looks at", () => {
  const minutely = object([rule("a", "* * * * *")]);

  it("begins after the later of the state's and the heartbeat's instant", () => {
    const state = evaluated(minutely, "08:10:00");
    expect(due(planCron(minutely, { state }, at("08:12:00")))).toEqual([["a", "08:12", 1]]);
    const beatUntilMs = at("08:11:00");
    expect(due(planCron(minutely, { state, beatUntilMs }, at("08:12:00")))).toEqual([["a", "08:12", 0]]);
  });

  it("is nothing twice at one instant, and nothing on a clock that went back", () => {
    const state = evaluated(minutely, "08:10:00");
    expect(due(planCron(minutely, { state }, at("08:10:00")))).toEqual([]);
    expect(due(planCron(minutely, { state }, at("08:05:00")))).toEqual([]);
  });

  it("orders runs by instant, then by place in the list (D-26)", () => {
    const cron = object([rule("late", "12 8 * * *"), rule("b", "11 8 * * *"), rule("a", "11 8 * * *")]);
    const state = evaluated(cron, "08:10:00");
    expect(due(planCron(cron, { state }, at("08:12:00")))).toEqual([
      ["b", "08:11", 0],
      ["a", "08:11", 0],
      ["late", "08:12", 0],
    ]);
  });

  it("needs no write where nothing is due and no rule has changed", () => {
    const daily = object([rule("a", "30 8 * * *")]);
    const state = evaluated(daily, "08:10:00");
    expect(planCron(daily, { state }, at("08:20:00")).isNews).toBe(false);
    expect(
      planCron(object([rule("a", "30 8 * * *", { failedHistoryLimit: 0 })]), { state }, at("08:20:00"))
        .isNews,
    ).toBe(false);
    expect(planCron(object([rule("a", "31 8 * * *")]), { state }, at("08:20:00")).isNews).toBe(true);
    expect(planCron(object([]), { state }, at("08:20:00")).isNews).toBe(true);
  });

  it("keeps at most 32 open runs of a rule, the newest", () => {
    let state = evaluated(minutely, "08:00:00");
    for (let minute = 1; minute <= 40; minute++) {
      state = { ...planCron(minutely, { state }, at("08:00:00") + minute * 60_000).state, version: 1 };
    }
    expect(state.open).toHaveLength(33);
    const plan = planCron(minutely, { state }, at("08:40:30"));
    expect(plan.runs).toHaveLength(32);
    expect(plan.forgotten).toHaveLength(1);
    expect(due(plan).at(-1)).toEqual(["a", "08:40", 0]);
  });
});
