import { describe, expect, it } from "vitest";
import { repeatedMinute } from "#domain/cron/repeated-minute";
import { skippedRuns } from "#domain/cron/skipped-runs";
import { parseTimetable } from "#domain/cron/timetable";
import { transitions } from "#domain/cron/transitions";
import { formatInZone, formatWall, offsetMs } from "#domain/cron/wall-clock";
import { formatInstant } from "#domain/units/instant";

const ms = (instant: string) => Date.parse(instant);
const HOUR_MS = 3_600_000;

describe("the wall clock of an instant", () => {
  it.each([
    ["UTC", "2026-03-08T07:30:00.999Z", "2026-03-08T07:30:00+00:00"],
    ["America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T01:59:59-05:00"],
    ["America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00-04:00"],
    ["Asia/Kathmandu", "2026-03-08T20:00:00Z", "2026-03-09T01:45:00+05:45"],
    ["America/St_Johns", "2026-01-01T00:00:00Z", "2025-12-31T20:30:00-03:30"],
    ["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01T00:00:00+14:00"],
    ["Africa/Monrovia", "1970-01-01T00:00:00Z", "1969-12-31T23:15:30-00:44"],
  ])("%s at %s", (zone, instant, local) => {
    expect(formatInZone(zone, ms(instant))).toBe(local);
  });
});

describe("transitions in (from, to]", () => {
  const found = (zone: string, from: string, to: string) =>
    transitions(zone, ms(from), ms(to)).map(
      ({ atMs, offsetBeforeMs, offsetAfterMs }) =>
        `${formatInstant(atMs)} ${offsetBeforeMs / HOUR_MS} ${offsetAfterMs / HOUR_MS}`,
    );

  it.each([
    ["none", "Asia/Kolkata", "2000-01-01T00:00Z", "2030-01-01T00:00Z", []],
    [
      "two a year",
      "America/New_York",
      "2026-01-01T00:00Z",
      "2027-01-01T00:00Z",
      ["2026-03-08T07:00:00Z -5 -4", "2026-11-01T06:00:00Z -4 -5"],
    ],
    [
      "half an hour",
      "Australia/Lord_Howe",
      "2026-10-01T00:00Z",
      "2026-11-01T00:00Z",
      ["2026-10-03T15:30:00Z 10.5 11"],
    ],
    ["a day", "Pacific/Apia", "2011-12-01T00:00Z", "2012-01-01T00:00Z", ["2011-12-30T10:00:00Z -10 14"]],
    [
      "a month without, for Ramadan",
      "Africa/Casablanca",
      "2024-01-01T00:00Z",
      "2025-01-01T00:00Z",
      ["2024-03-10T02:00:00Z 1 0", "2024-04-14T02:00:00Z 0 1"],
    ],
    [
      "the end counts",
      "America/New_York",
      "2026-03-08T06:59Z",
      "2026-03-08T07:00Z",
      ["2026-03-08T07:00:00Z -5 -4"],
    ],
    ["the beginning does not", "America/New_York", "2026-03-08T07:00Z", "2026-03-09T00:00Z", []],
  ])("%s: %s", (_, zone, from, to, expected) => {
    expect(found(zone, from, to)).toEqual(expected);
  });

  it("are found over any number of years", () => {
    const all = transitions("Europe/Berlin", ms("1981-01-01T00:00Z"), ms("2131-01-01T00:00Z"));
    expect(all).toHaveLength(2 * 150);
    expect(offsetMs("Europe/Berlin", ms("1981-07-01T00:00Z"))).toBe(2 * HOUR_MS);
  });
});

describe("runs in a gap (B67)", () => {
  const skipped = (schedule: string, timeZone: string, from: string, to: string) => {
    const parsed = parseTimetable({ schedule, timeZone }, 0);
    if (!parsed.ok) throw new Error(parsed.fault.detail);
    return skippedRuns(parsed.value, ms(from), ms(to)).map(({ atMs, fromWallMs, toWallMs, runWallMs }) =>
      [
        formatInstant(atMs),
        ...[fromWallMs, toWallMs, ...runWallMs].map((wall) => formatWall(wall).slice(5, 16)),
      ].join(" "),
    );
  };

  it.each([
    ["30 2 * * *", "America/New_York", ["2026-03-08T07:00:00Z 03-08T02:00 03-08T03:00 03-08T02:30"]],
    [
      "*/20 * * * *",
      "America/New_York",
      ["2026-03-08T07:00:00Z 03-08T02:00 03-08T03:00 03-08T02:00 03-08T02:20 03-08T02:40"],
    ],
    ["0 3 * * *", "America/New_York", []],
    ["59 1 * * *", "America/New_York", []],
    ["30 2 * * MON", "America/New_York", []],
    ["30 2 * * *", "UTC", []],
    ["@every 1m", "America/New_York", []],
  ])("%j in %s", (schedule, zone, expected) => {
    expect(skipped(schedule, zone, "2026-03-01T00:00Z", "2026-12-31T00:00Z")).toEqual(expected);
  });
});

describe("minutes that come twice (B68)", () => {
  it.each([
    ["before", "America/New_York", "2026-11-01T04:59:59Z", undefined],
    ["the first time, from its first second", "America/New_York", "2026-11-01T05:00:00Z", "first"],
    ["the first time, to its last", "America/New_York", "2026-11-01T05:59:59Z", "first"],
    ["the second time, from its first second", "America/New_York", "2026-11-01T06:00:00Z", "second"],
    ["the second time, to its last", "America/New_York", "2026-11-01T06:59:59Z", "second"],
    ["after", "America/New_York", "2026-11-01T07:00:00Z", undefined],
    ["in spring none does", "America/New_York", "2026-03-08T07:00:00Z", undefined],
    ["half an hour", "Australia/Lord_Howe", "2026-04-04T14:29:00Z", undefined],
    ["half an hour", "Australia/Lord_Howe", "2026-04-04T14:30:00Z", "first"],
  ])("%s, in %s at %s", (_, zone, instant, expected) => {
    expect(repeatedMinute(zone, ms(instant))).toBe(expected);
  });
});
