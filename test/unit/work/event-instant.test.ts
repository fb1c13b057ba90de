import { describe, expect, it } from "vitest";
import { eventInstant } from "#domain/work/event-instant";

describe("the instant of an event's evaluation (design 1, logical time), a millisecond after", () => {
  it.each([
    ["the queue took it", 99_000, 99_001],
    ["that, by a clock a little ahead", 105_000, 105_001],
    ["now, where that is more than 5 s ahead", 105_001, 100_001],
    ["it a minute ago", 40_000, 40_001],
    ["now, where that is longer ago", 39_999, 100_001],
  ])("%s", (_name, sentAtMs, instantMs) => {
    expect(eventInstant(sentAtMs, 100_000)).toBe(instantMs);
  });
});
