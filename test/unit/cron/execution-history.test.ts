import { describe, expect, it } from "vitest";
import { executionHistories } from "#domain/cron/execution-history";
import type { RunResult } from "#domain/cron/run-result";
import type { CronRule, SuccessfulExecution } from "#domain/spec/cron-federated-hpa";

const AT = Date.UTC(2026, 2, 2, 9);

function rule(successfulHistoryLimit: number): CronRule {
  return {
    name: "b",
    schedule: "*/3 * * * *",
    suspend: false,
    successfulHistoryLimit,
    failedHistoryLimit: 3,
  };
}

const told = (dueMs: number, executionMs: number): SuccessfulExecution => ({
  scheduleMs: AT + dueMs,
  executionMs: AT + executionMs,
});

function applied(limit: number, dueMs: number, executionMs: number): RunResult {
  const run = {
    rule: rule(limit),
    hash: "",
    instantMs: AT + dueMs,
    skipped: 0,
    untilMs: AT,
    isExpired: false,
  };
  return { run, outcome: "applied", executionMs: AT + executionMs, message: "" };
}

describe("which executions a rule's history keeps (the status has whole seconds)", () => {
  it.each([
    ["the one that was executed last", 1, [told(0, 1_000)], [180_000, 181_500], [180_000]],
    ["though it was due earlier", 1, [told(180_000, 181_000)], [0, 182_000], [0]],
    [
      "of one second the one that was due last, the other being told later (storm seed 3778)",
      1,
      [told(180_000, 181_000)],
      [0, 181_011],
      [180_000],
    ],
    ["both where there is room", 2, [told(180_000, 181_000)], [0, 181_011], [180_000, 0]],
    ["none where the limit is 0", 0, [told(0, 1_000)], [180_000, 181_000], []],
  ] as const)("%s", (_case, limit, former, [dueMs, executionMs], kept) => {
    const histories = [{ ruleName: "b", successfulExecutions: former, failedExecutions: [] }];
    const object = { rules: [rule(limit)], executionHistories: histories };
    const [after] = executionHistories(object, [applied(limit, dueMs, executionMs)], [], new Map());
    expect(after?.successfulExecutions?.map(({ scheduleMs }) => scheduleMs - AT)).toEqual(kept);
  });
});
