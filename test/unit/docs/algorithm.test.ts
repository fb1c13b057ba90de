import { describe, expect, it } from "vitest";
import type { Answers } from "#test/unit/docs/algorithm/answers";
import { wrongArithmetic } from "#test/unit/docs/algorithm/arithmetic";
import { limits, tutorial, windows } from "#test/unit/docs/algorithm/behavior";
import {
  calibration,
  gates,
  lostClusters,
  placement,
  severalMetrics,
} from "#test/unit/docs/algorithm/fleets";
import { pods } from "#test/unit/docs/algorithm/pods";
import { proposals } from "#test/unit/docs/algorithm/proposals";
import { settings } from "#test/unit/docs/algorithm/settings";
import { workedRows } from "#test/unit/docs/algorithm/worked-rows";

const ANSWERS: Answers = {
  ...settings,
  ...gates,
  ...pods,
  ...proposals,
  ...calibration,
  ...placement,
  ...lostClusters,
  ...severalMetrics,
  ...windows,
  ...limits,
  ...tutorial,
};

const ROWS = workedRows();

describe("docs/algorithm.md", () => {
  it("has each id once, and each answer that is computed here", () => {
    expect(ROWS.map(({ id }) => id).sort()).toEqual(Object.keys(ANSWERS).sort());
  });

  it.each(ROWS)("$id: the answer is computed", ({ id, answer }) => {
    expect(String(ANSWERS[id]?.())).toBe(answer);
  });

  it.each(ROWS.filter(({ arithmetic }) => arithmetic !== ""))(
    "$id: the arithmetic holds",
    ({ arithmetic }) => {
      expect(wrongArithmetic(arithmetic)).toBeUndefined();
    },
  );
});

describe("arithmetic in a page", () => {
  it.each([
    ["an equation", "ceil(50 ÷ 60 × 3) = 3", undefined],
    ["several, of which one is wrong", "1 + 1 = 2; 2 × 2 = 5", "2 × 2 = 5"],
    ["a comparison that does not hold", "1.2 ≤ 1 + 0.1", "1.2 ≤ 1 + 0.1"],
    ["a fraction that is cut", "2 ÷ 3 = 0.66…", undefined],
    ["a fraction that is cut wrongly", "2 ÷ 3 = 0.67…", "2 ÷ 3 = 0.67…"],
    ["a number without a comparison says nothing", "42", "42"],
  ])("%s", (_, cell, wrong) => {
    expect(wrongArithmetic(cell)).toBe(wrong);
  });
});
