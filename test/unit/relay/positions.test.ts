import { describe, expect, it } from "vitest";
import { backOffMs } from "#domain/relay/back-off";
import { Positions } from "#domain/relay/positions";

describe("where a watch is resumed: two seconds before its last event", () => {
  it.each<[string, readonly (readonly [string, number])[], string | undefined]>([
    ["nothing was seen", [], undefined],
    ["one event", [["5", 0]], "5"],
    [
      "two within the two seconds",
      [
        ["5", 0],
        ["6", 1_500],
      ],
      "5",
    ],
    [
      "an older one beyond",
      [
        ["5", 0],
        ["6", 1_000],
        ["7", 3_000],
      ],
      "6",
    ],
    [
      "a pause, then two",
      [
        ["5", 0],
        ["6", 60_000],
        ["7", 60_001],
      ],
      "5",
    ],
    [
      "an event out of order moves nothing",
      [
        ["5", 0],
        ["8", 100],
        ["7", 5_000],
      ],
      "5",
    ],
  ])("%s", (_case, notes, from) => {
    const positions = new Positions(2_000);
    for (const [version, atMs] of notes) positions.note(version, atMs);
    expect(positions.from()).toBe(from);
  });

  it("a list begins anew, whatever there was", () => {
    const positions = new Positions(2_000);
    positions.note("50", 0);
    positions.restart("7", 10);
    expect(positions.from()).toBe("7");
    positions.clear();
    expect(positions.from()).toBeUndefined();
  });
});

describe("the wait before another try", () => {
  it.each([
    [1, 0, 125],
    [1, 0.999, 250],
    [2, 0, 250],
    [4, 0.5, 1_500],
    [7, 0, 7_500],
    [1_000_000, 0.999_999, 15_000],
  ])("after %i failures in a row, by chance %f, is %i ms", (failures, chance, ms) => {
    expect(backOffMs(failures, chance)).toBe(ms);
  });
});
