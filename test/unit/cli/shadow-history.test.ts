import { describe, expect, it } from "vitest";
import { shadowLines } from "#infra/cli/shadow-history";
import type { RecordHead } from "#wire/decision-record";

const at = (second: number) => Date.parse("2026-03-02T09:00:00Z") + second * 1000;
const head = (some: Partial<RecordHead>): RecordHead => ({
  atMs: at(0),
  result: "shadow",
  code: "1",
  clusters: {},
  summary: "cpu 50% of 10% → 20",
  replayable: true,
  ...some,
});
const mark = (to: number | undefined) => ({
  configMap: "next",
  real: { ...(to === undefined ? {} : { to }), summary: "cpu 50% of 10% → 10" },
});

describe("history --shadow", () => {
  it("shows both beside each other, and how often they part", () => {
    const lines = shadowLines([
      head({ from: 5, to: 20, shadow: mark(10) }),
      head({ atMs: at(15), from: 10, to: 10, shadow: mark(10) }),
      head({ atMs: at(30), from: 10, to: 2, shadow: mark(9) }),
      head({ atMs: at(45), result: "invalid", summary: "ConfigMap next: not YAML", shadow: mark(9) }),
    ]);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["AT", "RUNS", "REAL", "SHADOW", "BY", "REAL CAUSE", "SHADOW CAUSE"],
      ["2026-03-02T09:00:00Z", "5", "10", "20", "next", "cpu 50% of 10% → 10", "cpu 50% of 10% → 20"],
      ["2026-03-02T09:00:15Z", "10", "10", "10", "next", "cpu 50% of 10% → 10", "cpu 50% of 10% → 20"],
      ["2026-03-02T09:00:30Z", "10", "9", "2", "next", "cpu 50% of 10% → 10", "cpu 50% of 10% → 20"],
      ["2026-03-02T09:00:45Z", "-", "9", "-", "next", "cpu 50% of 10% → 10", "ConfigMap next: not YAML"],
      ["of 4 on record the shadow wanted more in 1, fewer in 1"],
    ]);
  });

  it("says how to have one where there is none", () => {
    expect(shadowLines([])).toEqual([
      "no shadow decisions are on record; name a ConfigMap in mainsheet.io/shadow",
    ]);
  });
});
