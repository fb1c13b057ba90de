import { describe, expect, it } from "vitest";
import { dueOccurrences, nextOccurrence, occurrences } from "#domain/cron/occurrences";
import { parseTimetable, type Timetable } from "#domain/cron/timetable";

const ms = (instant: string) => Date.parse(instant);

/** As `2026-03-08T06:30Z`; seconds where there are any. */
const text = (instantMs: number) => new Date(instantMs).toISOString().replace(/(:00)?\.000Z$/, "Z");

function timetable(schedule: string, timeZone?: string, anchor = "2026-01-01T00:00Z"): Timetable {
  const parsed = parseTimetable({ schedule, timeZone }, ms(anchor));
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  return parsed.value;
}

function following(table: Timetable, after: string, count: number): string[] {
  const found: string[] = [];
  for (const atMs of occurrences(table, ms(after), Number.POSITIVE_INFINITY)) {
    found.push(text(atMs));
    if (found.length === count) break;
  }
  return found;
}

type Row = readonly [title: string, schedule: string, zone: string, after: string, runs: readonly string[]];

const at = (day: string, ...times: readonly string[]) => times.map((time) => `${day}T${time}Z`);
const midnights = (...days: readonly string[]) => days.map((day) => `${day}T00:00Z`);

describe("fields (robfig/cron v3, serverless 6)", () => {
  it.each<Row>([
    [
      "N/step runs to the end of the field",
      "5/15 * * * *",
      "UTC",
      "2026-03-01T00:00Z",
      at("2026-03-01", "00:05", "00:20", "00:35", "00:50", "01:05"),
    ],
    [
      "a step begins anew each hour",
      "*/7 * * * *",
      "UTC",
      "2026-03-01T00:48Z",
      at("2026-03-01", "00:49", "00:56", "01:00"),
    ],
    [
      "MON-FRI",
      "0 9 * * MON-FRI",
      "UTC",
      "2026-03-05T09:00Z",
      ["2026-03-06T09:00Z", "2026-03-09T09:00Z", "2026-03-10T09:00Z"],
    ],
    ["a question mark", "0 0 ? * MON", "UTC", "2026-03-01T00:00Z", midnights("2026-03-02", "2026-03-09")],
    [
      "B66: day of month or weekday, where both are restricted",
      "0 0 13 * 5",
      "UTC",
      "2026-03-01T00:00Z",
      midnights(
        "2026-03-06",
        "2026-03-13",
        "2026-03-20",
        "2026-03-27",
        "2026-04-03",
        "2026-04-10",
        "2026-04-13",
      ),
    ],
    [
      "semantics 4.2: a stepped star restricts too, so this is either",
      "0 0 */2 * 1",
      "UTC",
      "2026-03-10T00:00Z",
      midnights("2026-03-11", "2026-03-13", "2026-03-15", "2026-03-16", "2026-03-17"),
    ],
    [
      "a step of 1 keeps the star, so this is Mondays only",
      "0 0 */1 * 1",
      "UTC",
      "2026-03-10T00:00Z",
      midnights("2026-03-16", "2026-03-23"),
    ],
    ["29 February", "0 0 29 2 *", "UTC", "2026-03-01T00:00Z", midnights("2028-02-29", "2032-02-29")],
    [
      "the 31st passes over shorter months",
      "0 0 31 * *",
      "UTC",
      "2026-01-31T00:00Z",
      midnights("2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31"),
    ],
    ["@weekly is Sunday", "@weekly", "UTC", "2026-03-01T00:00Z", midnights("2026-03-08")],
    ["over the end of a year", "@hourly", "UTC", "2026-12-31T23:00Z", midnights("2027-01-01")],
  ])("%s: %j", (_, schedule, zone, after, runs) => {
    expect(following(timetable(schedule, zone), after, runs.length)).toEqual(runs);
  });
});

describe("strictly later, at second 0", () => {
  it.each([
    ["a run's own instant does not count", "2026-03-01T09:00:00Z", "2026-03-02T09:00Z"],
    ["a moment before it", "2026-03-01T08:59:59.999Z", "2026-03-01T09:00Z"],
    ["a moment after it", "2026-03-01T09:00:00.001Z", "2026-03-02T09:00Z"],
  ])("%s", (_, after, next) => {
    expect(following(timetable("0 9 * * *"), after, 1)).toEqual([next]);
  });

  it("before 1970 as well", () => {
    expect(following(timetable("@daily"), "1969-12-30T00:00:00.001Z", 2)).toEqual(
      midnights("1969-12-31", "1970-01-01"),
    );
  });
});

describe("zones", () => {
  it.each<Row>([
    ["a quarter of an hour", "0 9 * * *", "Asia/Kathmandu", "2026-03-01T00:00Z", at("2026-03-01", "03:15")],
    ["east of the date line", "0 0 1 * *", "Pacific/Kiritimati", "2026-02-28T00:00Z", ["2026-02-28T10:00Z"]],
    ["summer and winter", "0 9 * * *", "Europe/Berlin", "2026-03-28T08:00Z", at("2026-03-29", "07:00")],
    [
      "a prefix goes before the rule's zone (cron-0076)",
      "TZ=UTC 0 9 * * *",
      "America/New_York",
      "2028-03-12T03:32:57Z",
      at("2028-03-12", "09:00"),
    ],
    [
      "CRON_TZ likewise, with a macro",
      "CRON_TZ=Asia/Tokyo @daily",
      "America/New_York",
      "2026-03-01T00:00Z",
      at("2026-03-01", "15:00"),
    ],
  ])("%s: %j in %s", (_, schedule, zone, after, runs) => {
    expect(following(timetable(schedule, zone), after, runs.length)).toEqual(runs);
  });

  it("B71: none given is UTC; one that is not known is refused", () => {
    expect(timetable("0 9 * * *").zone).toBe("UTC");
    expect(parseTimetable({ schedule: "0 9 * * *", timeZone: "Asia/Beijing" }, 0)).toMatchObject({
      ok: false,
      fault: { code: "zone-unknown" },
    });
    expect(parseTimetable({ schedule: "0 9 * *", timeZone: "Asia/Beijing" }, 0)).toMatchObject({
      ok: false,
      fault: { code: "schedule-fields" },
    });
  });
});

describe("gaps: what the clock does not show is skipped that day (D-23)", () => {
  it.each<Row>([
    ["B67", "30 2 * * *", "America/New_York", "2026-03-07T07:30Z", ["2026-03-09T06:30Z"]],
    ["B67", "30 2 * * *", "Europe/Berlin", "2026-03-28T01:30Z", ["2026-03-30T00:30Z"]],
    ["its first minute", "0 2 * * *", "America/New_York", "2026-03-07T07:00Z", ["2026-03-09T06:00Z"]],
    [
      "what lies around it runs",
      "*/30 * * * *",
      "America/New_York",
      "2026-03-08T06:00Z",
      at("2026-03-08", "06:30", "07:00", "07:30"),
    ],
    [
      "44 minutes and 30 seconds, after which no minute begins at once",
      "* * * * *",
      "Africa/Monrovia",
      "1972-01-07T00:42:30Z",
      ["1972-01-07T00:43:30Z", "1972-01-07T00:45Z", "1972-01-07T00:46Z"],
    ],
    ["every hour", "0 * * * *", "America/New_York", "2026-03-08T05:00Z", at("2026-03-08", "06:00", "07:00")],
  ])("%s: %j in %s", (_, schedule, zone, after, runs) => {
    expect(following(timetable(schedule, zone), after, runs.length)).toEqual(runs);
  });
});

describe("repeats: what the clock shows twice fires twice (D-23)", () => {
  it.each<Row>([
    [
      "semantics 4.2",
      "30 1 * * *",
      "America/New_York",
      "2026-11-01T00:00Z",
      ["2026-11-01T05:30Z", "2026-11-01T06:30Z", "2026-11-02T06:30Z"],
    ],
    [
      "four half hours",
      "*/30 1 * * *",
      "America/New_York",
      "2026-11-01T00:00Z",
      at("2026-11-01", "05:00", "05:30", "06:00", "06:30"),
    ],
    [
      "B68: no hole",
      "*/15 * * * *",
      "Europe/London",
      "2025-10-26T00:30Z",
      at("2025-10-26", "00:45", "01:00", "01:15", "01:30", "01:45", "02:00"),
    ],
    [
      "two hours, at Troll",
      "30 1 * * *",
      "Antarctica/Troll",
      "2026-10-24T12:00Z",
      ["2026-10-24T23:30Z", "2026-10-25T01:30Z", "2026-10-26T01:30Z"],
    ],
  ])("%s: %j in %s", (_, schedule, zone, after, runs) => {
    expect(following(timetable(schedule, zone), after, runs.length)).toEqual(runs);
  });
});

describe("where the engine slips, each minute that matches and no other (D-23)", () => {
  it.each<Row>([
    [
      "half an hour, Lord Howe: the engine leaves out 06:00 (cron-0128)",
      "0 */6 * * *",
      "Australia/Lord_Howe",
      "2024-10-05T15:30Z",
      at("2024-10-05", "19:00"),
    ],
    [
      "half an hour, Lord Howe: it leaves out a month (cron-0105)",
      "0 0 1 * *",
      "Australia/Lord_Howe",
      "2028-09-30T14:00Z",
      ["2028-10-31T13:00Z"],
    ],
    [
      "a day without a midnight, Cairo: it leaves out the day (cron-0348)",
      "11 * */3 4 *",
      "Africa/Cairo",
      "2025-04-24T13:54Z",
      at("2025-04-24", "22:11", "23:11"),
    ],
    [
      "a day without a midnight, Havana: it runs on the 13th, too",
      "0 21 12 3,11 *",
      "America/Havana",
      "2022-03-13T03:13Z",
      ["2022-11-13T02:00Z"],
    ],
    [
      "three quarters past, Chatham: it leaves out 03:45",
      "*/15 3 * * *",
      "Pacific/Chatham",
      "2019-09-28T12:12Z",
      ["2019-09-28T14:00Z", "2019-09-29T13:15Z"],
    ],
    [
      "a day that was not, Apia: it never ends",
      "0 12 30 12 *",
      "Pacific/Apia",
      "2011-12-01T00:00Z",
      ["2012-12-29T22:00Z"],
    ],
  ])("%s", (_, schedule, zone, after, runs) => {
    expect(following(timetable(schedule, zone), after, runs.length)).toEqual(runs);
  });
});

describe("the search is bounded", () => {
  it.each([
    ["29 February comes after eight years here", "2096-03-01T00:00Z", undefined],
    ["the fifth calendar year is still looked at", "2099-12-31T23:59:58Z", "2104-02-29T00:00Z"],
    ["the engine's year begins a second early", "2098-12-31T23:59:59Z", "2104-02-29T00:00Z"],
    ["the sixth is not", "2098-12-31T23:59:58Z", undefined],
  ])("%s", (_, after, next) => {
    const found = nextOccurrence(timetable("0 0 29 2 *"), ms(after));
    expect(found === undefined ? undefined : text(found)).toBe(next);
  });
});

describe("@every counts from its anchor (D-22)", () => {
  const every90Minutes = timetable("@every 1h30m", "America/New_York", "2026-03-08T05:00:07.900Z");

  it.each([
    ["the anchor itself is no run", "2026-03-08T05:00:07Z", "2026-03-08T06:30:07Z"],
    ["nothing runs before it", "2025-01-01T00:00:00Z", "2026-03-08T06:30:07Z"],
    ["strictly later", "2026-03-08T06:30:07Z", "2026-03-08T08:00:07Z"],
    ["clocks do not matter, nor how often it is asked", "2026-03-08T09:17:00Z", "2026-03-08T09:30:07Z"],
    ["years later", "2036-03-08T05:00:00Z", "2036-03-08T05:00:07Z"],
  ])("%s", (_, after, next) => {
    expect(following(every90Minutes, after, 1)).toEqual([next]);
  });
});

describe("what was due in (from, to]", () => {
  const due = (schedule: string, from: string, to: string, zone?: string) => {
    const found = dueOccurrences(timetable(schedule, zone), ms(from), ms(to));
    return found && { ...found, latestMs: text(found.latestMs) };
  };

  it.each([
    [
      "B73: two hours late, the last of 120",
      "* * * * *",
      "10:00",
      "12:00",
      { count: 120, latestMs: "2026-03-02T12:00Z" },
    ],
    [
      "B74: a late tick finds what came between",
      "1 9 * * *",
      "09:00:58",
      "09:02:05",
      { count: 1, latestMs: "2026-03-02T09:01Z" },
    ],
    ["B74: and finds it once", "1 9 * * *", "09:02:05", "09:03:05", undefined],
    ["the end counts", "1 9 * * *", "09:00", "09:01", { count: 1, latestMs: "2026-03-02T09:01Z" }],
    ["the beginning does not", "1 9 * * *", "09:01", "09:02", undefined],
    [
      "B80: the instant is the rule's, not the evaluation's",
      "52 7 * * *",
      "07:51:41",
      "07:52:41",
      { count: 1, latestMs: "2026-03-02T07:52Z" },
    ],
    ["a stretch backwards holds nothing", "* * * * *", "12:00", "10:00", undefined],
  ])("%s", (_, schedule, from, to, expected) => {
    expect(due(schedule, `2026-03-02T${from}Z`, `2026-03-02T${to}Z`)).toEqual(expected);
  });

  it("B77: resumed at 17:05, a daily 12:00 runs tomorrow", () => {
    expect(due("0 12 * * *", "2026-03-02T17:05Z", "2026-03-03T11:59Z")).toBeUndefined();
    expect(following(timetable("0 12 * * *"), "2026-03-02T17:05Z", 1)).toEqual(["2026-03-03T12:00Z"]);
  });

  it("both runs of a repeated minute", () => {
    const found = due("30 1 * * *", "2026-11-01T05:00Z", "2026-11-01T07:00Z", "America/New_York");
    expect(found).toEqual({ count: 2, latestMs: "2026-11-01T06:30Z" });
  });
});
