import { describe, expect, it } from "vitest";
import { decisionOf } from "#infra/local/decision-line";

describe("a cron run in the log of a function", () => {
  it("is shown with its rule, its instant and what came of it, whatever its level", () => {
    const entry = {
      level: "WARN",
      message: "cron run",
      hub: "local",
      object: "default/shop",
      rule: "open",
      atMs: 1_000,
      executionMs: 61_000,
      result: "missed",
      target: "Deployment/shop",
      skipped: 2,
      why: "not run: it was found after its deadline, 1m late",
    };
    const { level: _, message: __, hub: ___, ...shown } = entry;
    expect(decisionOf(JSON.stringify(entry))).toEqual({ kind: "cron", ...shown });
  });
});
