import { describe, expect, it } from "vitest";
import { parseCondition } from "#infra/simulate/condition";

const FIGURES = { flaps: 4, replicaHours: 2.5, "second.flaps": 6 };

describe("--fail-if: a condition on a run's figures", () => {
  it.each([
    ["flaps > 3", true],
    ["flaps > 4", false],
    ["flaps >= 4", true],
    ["flaps < 4 or replicaHours <= 2.5", true],
    ["flaps < 4 || replicaHours > 2.5", false],
    ["flaps == 4 and replicaHours != 2.5", false],
    ["flaps == 4 && replicaHours != 3", true],
    ["not flaps > 3", false],
    ["!(flaps > 3 and replicaHours > 3)", true],
    ["second.flaps - flaps >= 2", true],
    ["second.flaps > flaps * 2", false],
    ["-flaps < -3.5", true],
    ["flaps / 2 + 1 == 3", true],
    // `and` binds closer than `or`.
    ["flaps > 3 or flaps > 9 and flaps > 9", true],
  ])("%s is %s", (text, expected) => {
    const parsed = parseCondition(text, Object.keys(FIGURES));
    expect(parsed.ok && parsed.value(FIGURES)).toBe(expected);
  });

  it.each([
    ["flaps > ", /cannot be used: Expected expression after > at character \d+$/],
    ["flips > 3", /cannot be used: flips is no figure; there are flaps, replicaHours, second\.flaps$/],
    ["flaps", /it compares nothing; write for example flaps > 3 or timeAboveTargetSeconds > 600$/],
    ["", /it compares nothing/],
    ["3", /it compares nothing/],
    ["flaps > 3 flaps > 4", /it compares nothing/],
    ['flaps > "3"', /only numbers are compared/],
    ["flaps > (flaps > 3)", /only numbers are compared/],
    ["flaps = 3", /cannot be used/],
    ["flaps.constructor > 3", /flaps\.constructor is no figure/],
    ["flaps['x'] > 3", /only numbers are compared/],
    ["f(flaps) > 3", /only numbers are compared/],
  ])("%s is refused in one sentence", (text, fault) => {
    const parsed = parseCondition(text, Object.keys(FIGURES));
    expect(parsed.ok ? undefined : parsed.fault).toMatch(fault);
    expect(parsed.ok ? "" : parsed.fault).not.toContain("\n");
  });
});
