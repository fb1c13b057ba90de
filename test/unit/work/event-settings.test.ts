import { describe, expect, it } from "vitest";
import { eventSettings } from "#domain/work/event-settings";

describe("mainsheet.io/min-interval", () => {
  const TOLD = (text: string) => [
    {
      code: "FieldValueInvalid",
      path: "metadata.annotations[mainsheet.io/min-interval]",
      detail: `"${text}" must be a duration from 1s to 15m, such as 10s; 3s holds until then`,
    },
  ];
  it.each([
    ["absent", undefined, 3_000, []],
    ["a second", "1s", 1_000, []],
    ["a fraction", "1.5s", 1_500, []],
    ["a quarter of an hour", "15m", 900_000, []],
    ["too short", "999ms", 3_000, TOLD("999ms")],
    ["too long", "15m1s", 3_000, TOLD("15m1s")],
    ["no unit", "10", 3_000, TOLD("10")],
    ["negative", "-3s", 3_000, TOLD("-3s")],
    ["empty", "", 3_000, TOLD("")],
  ])("%s: %s", (_name, text, minIntervalMs, faults) => {
    const annotations = text === undefined ? {} : { "mainsheet.io/min-interval": text };
    expect(eventSettings(annotations)).toEqual({ minIntervalMs, alarms: [], faults });
  });
});

describe("mainsheet.io/alarms", () => {
  it.each([
    ["one", "deep", ["deep"]],
    ["two, with blanks, in order and once", " slow, deep ,slow", ["deep", "slow"]],
    ["a name with blanks and slashes", "queue/orders too deep", ["queue/orders too deep"]],
  ])("%s", (_name, text, alarms) => {
    expect(eventSettings({ "mainsheet.io/alarms": text })).toMatchObject({ alarms, faults: [] });
  });

  it.each([
    ["empty", ""],
    ["a name missing", "deep,,slow"],
    ["too long a name", "a".repeat(256)],
    ["too many", Array.from({ length: 21 }, (_, i) => `a${i}`).join()],
  ])("%s: none is heeded, and it is told", (_name, text) => {
    const { alarms, faults } = eventSettings({ "mainsheet.io/alarms": text });
    expect(alarms).toEqual([]);
    expect(faults).toMatchObject([{ path: "metadata.annotations[mainsheet.io/alarms]" }]);
  });
});
