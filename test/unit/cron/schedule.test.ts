import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CalendarSchedule, parseSchedule } from "#domain/cron/schedule";
import { readCases, VECTORS } from "#test/golden/vector-files";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ANY = {
  kind: "calendar",
  minutes: range(0, 59),
  hours: range(0, 23),
  daysOfMonth: range(1, 31),
  months: range(1, 12),
  daysOfWeek: range(0, 6),
  eitherDay: false,
};

const value = (text: string) => {
  const parsed = parseSchedule(text);
  return parsed.ok ? parsed.value : parsed.fault.code;
};

describe("the grammar of schedules (robfig/cron v3, D-22)", () => {
  it.each<[string, string, Partial<CalendarSchedule>]>([
    ["numbers", "5 9 1 2 *", { minutes: [5], hours: [9], daysOfMonth: [1], months: [2] }],
    ["lists, in any order and with doubles", "30,0,30 * * * *", { minutes: [0, 30] }],
    ["empty places in a list count for nothing", "1,,2, * * * *", { minutes: [1, 2] }],
    ["ranges", "0 9-11 * * *", { minutes: [0], hours: [9, 10, 11] }],
    ["steps over everything", "*/20 * * * *", { minutes: [0, 20, 40] }],
    ["steps over a range", "10-40/15 * * * *", { minutes: [10, 25, 40] }],
    ["steps from a number to the end", "40/9 * * * *", { minutes: [40, 49, 58] }],
    ["a step beyond the range leaves its beginning", "*/70 * * * *", { minutes: [0] }],
    ["a question mark is a star, in any field", "? ? ? ? ?", {}],
    ["a sign and leading zeros", "+5 007 * * *", { minutes: [5], hours: [7] }],
    [
      "names in any case",
      "0 0 * jan-Mar MON,sat",
      { minutes: [0], hours: [0], months: [1, 2, 3], daysOfWeek: [1, 6] },
    ],
    ["blanks of any kind around and between", " \t0\n0  * * *\u00a0", { minutes: [0], hours: [0] }],
    ["what follows a star and a hyphen is not looked at", "*-7 * * * *", {}],
    [
      "29 February comes every few years",
      "0 0 29 2 *",
      { minutes: [0], hours: [0], daysOfMonth: [29], months: [2] },
    ],
  ])("%s: %j", (_, text, expected) => {
    expect(value(text)).toEqual({ ...ANY, ...expected });
  });

  it.each([
    ["both restricted: either (B66)", "0 0 13 * 5", true],
    ["a stepped star restricts too", "0 0 */2 * 1", true],
    ["a step of 1 does not", "0 0 */1 * 1", false],
    ["one restricted: that one", "0 0 13 * *", false],
    ["a star anywhere in the list frees the field", "0 0 13,* * 5", false],
    ["30 February or a Monday is some day", "0 0 30 2 1", true],
  ])("day of month and of week, %s: %j", (_, text, eitherDay) => {
    expect(value(text)).toMatchObject({ kind: "calendar", eitherDay });
  });

  it.each([
    ["@yearly", "0 0 1 1 *"],
    ["@annually", "0 0 1 1 *"],
    ["@monthly", "0 0 1 * *"],
    ["@weekly", "0 0 * * 0"],
    ["@daily", "0 0 * * *"],
    ["@midnight", "0 0 * * *"],
    ["@hourly", "0 * * * *"],
  ])("%s is %s", (macro, text) => {
    expect(value(macro)).toEqual(value(text));
  });

  it.each([
    ["@every 1h30m", 5400],
    ["@every 90s", 90],
    ["@every 1m0.9s", 60],
    ["@every 60000ms", 60],
  ])("%s is %i s, fractions cut off", (text, everySeconds) => {
    expect(value(text)).toEqual({ kind: "interval", everySeconds });
  });

  it.each([
    ["TZ=Asia/Tokyo 0 9 * * *", "Asia/Tokyo"],
    ["CRON_TZ=UTC  0 9 * * *", "UTC"],
    ["TZ= 0 9 * * *", "UTC"],
    ["TZ=America/New_York @daily", "America/New_York"],
  ])("%s overrides the rule's zone", (text, zone) => {
    expect(value(text)).toMatchObject({ kind: "calendar", zone });
  });

  it.each<[string, readonly string[]]>([
    [
      "schedule-fields",
      ["", " ", "* * * *", "* * * * * *", "0 0 9 * * * 2027", "TZ=UTC", " TZ=UTC 0 9 * * *"],
    ],
    [
      "schedule-value",
      [
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 7",
        "0 0 * * 0-7",
        "0 9 L * *",
        "0 9 15W * *",
      ],
    ],
    [
      "schedule-value",
      ["5-1 * * * *", "0 0 * * FRI-MON", "1- * * * *", "-1 * * * *", "1-2-3 * * * *", "a b c d e"],
    ],
    [
      "schedule-value",
      ["*/0 * * * *", "*/-1 * * * *", "1/2/3 * * * *", "1/ * * * *", "0 9 * JANUARY *", "0 9 * * 5#2"],
    ],
    ["schedule-macro", ["@reboot", "@Daily", "@5minutes", "@always", "@every", "@"]],
    ["schedule-interval", ["@every 1d", "@every  1h", "@every 59s", "@every -1h", "@every 0"]],
    ["schedule-zone", ["TZ=Mars/Base 0 9 * * *", "CRON_TZ=../x 0 9 * * *"]],
    [
      "schedule-never",
      ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", ", * * * *", "* * , * *", "* * * * ,", "0 0 30 2 ,"],
    ],
  ])("%s: %j", (code, texts) => {
    expect(texts.map((text) => [text, value(text)])).toEqual(texts.map((text) => [text, code]));
  });

  it("a fault says what is there and what to write", () => {
    const parsed = parseSchedule("0 0 * * 7");
    expect(parsed.ok ? undefined : parsed.fault.detail).toBe(
      '"0 0 * * 7" has "7" as day of week, which is out of range; write 0-6 (sun is 0, sat 6), *, lists, ranges or steps',
    );
  });

  it("takes what the engine takes, in every cron vector, but for what never fires", () => {
    const cases = readCases(join(VECTORS, "cron.jsonl.gz")) as readonly {
      readonly id: string;
      readonly in: { readonly schedule: string };
      readonly out: { readonly schedulerAccepts: boolean; readonly next: readonly string[] };
    }[];
    const expected = cases.map(({ id, out }) => [id, out.schedulerAccepts && out.next.length > 0]);
    expect(cases.map((vector) => [vector.id, parseSchedule(vector.in.schedule).ok])).toEqual(expected);
    expect(expected.length).toBeGreaterThan(400);
  });

  it("no text makes it throw", () => {
    const pieces = fc.array(
      fc.constantFrom(..."0 5 59 99 * ? / - , jan MON @every @daily TZ= UTC + L 1h".split(" "), " "),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((words) => words.join("")),
          fc.string({ unit: "binary" }),
        ),
        (text) => {
          expect(typeof parseSchedule(text).ok).toBe("boolean");
        },
      ),
      { numRuns: 2000 },
    );
  });
});
