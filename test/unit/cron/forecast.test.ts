import { describe, expect, it } from "vitest";
import { type ForecastRule, forecast } from "#domain/cron/forecast";
import { parseTimetable } from "#domain/cron/timetable";
import { formatInstant } from "#domain/units/instant";

const FROM = "2026-03-02T00:00:00Z";

function rule(schedule: string, { object = "a", zone = "UTC", sets = ["replicas"] } = {}): ForecastRule {
  const parsed = parseTimetable({ schedule, timeZone: zone }, Date.parse(FROM));
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  return { object, timetable: parsed.value, sets };
}

/** `08:00 #1 over replicas #2`: the time of day, the rule, and what overrides it. */
function told(rules: readonly ForecastRule[], count: number, from = FROM): string[] {
  return forecast(rules, Date.parse(from), count).map((entry) => {
    const head = `${formatInstant(entry.atMs).slice(11, 16)} #${entry.rule}`;
    if (entry.kind === "skipped") return `${head} skipped`;
    const { repeated, overridden } = entry;
    return [head, repeated, overridden && `${overridden.fields.join("+")} by #${overridden.by}`]
      .filter((part) => part !== undefined)
      .join(" ");
  });
}

describe("the coming runs of several rules", () => {
  it("come in order of time, then of the rules, as many as asked for", () => {
    const rules = [
      rule("0 9 * * *"),
      rule("0 7-9 * * *", { object: "b" }),
      rule("@every 8h30m", { object: "c" }),
    ];
    expect(told(rules, 5)).toEqual(["07:00 #1", "08:00 #1", "08:30 #2", "09:00 #0", "09:00 #1"]);
    expect(told(rules, 4)).toEqual(["07:00 #1", "08:00 #1", "08:30 #2", "09:00 #0"]);
  });

  it("D-26: at one instant the later rule of the list wins, field by field", () => {
    const min = { sets: ["minReplicas"] };
    const both = { sets: ["minReplicas", "maxReplicas"] };
    expect(told([rule("0 9 * * *"), rule("0 9 * * *"), rule("0 9 * * *")], 3)).toEqual([
      "09:00 #0 replicas by #2",
      "09:00 #1 replicas by #2",
      "09:00 #2",
    ]);
    expect(told([rule("0 9 * * *", both), rule("0 9 * * *", min)], 2)).toEqual([
      "09:00 #0 minReplicas by #1",
      "09:00 #1",
    ]);
    expect(told([rule("0 9 * * *", min), rule("0 9 * * *", { sets: ["maxReplicas"] })], 2)).toEqual([
      "09:00 #0",
      "09:00 #1",
    ]);
  });

  it("rules of two objects do not meet, nor do two zones' nine o'clock", () => {
    expect(told([rule("0 9 * * *"), rule("0 9 * * *", { object: "b" })], 2)).toEqual([
      "09:00 #0",
      "09:00 #1",
    ]);
    expect(told([rule("0 9 * * *"), rule("0 9 * * *", { zone: "Asia/Tokyo" })], 2)).toEqual([
      "09:00 #0",
      "00:00 #1",
    ]);
  });

  it("B67, B68: what a clock skips and what it shows twice", () => {
    const newYork = { zone: "America/New_York" };
    expect(told([rule("30 2 * * *", newYork), rule("0 8 * * *")], 2, "2026-03-08T06:00:00Z")).toEqual([
      "07:00 #0 skipped",
      "08:00 #1",
      "06:30 #0",
    ]);
    expect(told([rule("30 1 * * *", newYork)], 3, "2026-11-01T00:00:00Z")).toEqual([
      "05:30 #0 first",
      "06:30 #0 second",
      "06:30 #0",
    ]);
    const hourly = rule("@every 1h30m", newYork);
    expect(told([hourly], 2, "2026-11-01T04:59:00Z")).toEqual(["06:00 #0", "07:30 #0"]);
  });

  it("a gap beyond the last run is not told", () => {
    expect(told([rule("30 2 * * *", { zone: "America/New_York" })], 1)).toEqual(["07:30 #0"]);
  });

  it("ends where no rule runs any more", () => {
    expect(told([], 3)).toEqual([]);
    expect(told([rule("0 0 29 2 *")], 3, "2092-03-01T00:00:00Z")).toEqual(["00:00 #0"]);
  });
});
