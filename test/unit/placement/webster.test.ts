import { describe, expect, it } from "vitest";
import { nameOrderOf } from "#domain/placement/share";
import { allocateSeats, type NameOrder } from "#domain/placement/webster";

function seats(
  total: number,
  weights: readonly number[],
  order: NameOrder = "ascending",
  held: readonly number[] = [],
) {
  const parties = weights.map((votes, index) => ({ name: `m${index + 1}`, votes, seats: held[index] ?? 0 }));
  return allocateSeats(total, parties, order)
    .map((party) => party.seats)
    .join("/");
}

describe("Webster's division (semantics 4.8, all rows ran in Karmada)", () => {
  it.each([
    [1, [4, 1], "1/0"],
    [2, [4, 1], "2/0"],
    [3, [4, 1], "2/1"],
    [4, [4, 1], "3/1"],
    [5, [4, 1], "4/1"],
    [6, [4, 1], "5/1"],
    [7, [4, 1], "6/1"],
    [8, [4, 1], "6/2"],
    [9, [4, 1], "7/2"],
    [10, [4, 1], "8/2"],
    [9, [1, 2], "3/6"],
    [9, [1, 3], "2/7"],
    [7, [2, 1, 1], "3/2/2"],
    [7, [2, 1, 1, 1], "3/2/1/1"],
    [8, [2, 1, 1, 1], "3/2/2/1"],
    [9, [40, 35, 25], "4/3/2"],
    [9, [40, 40, 20], "4/3/2"],
    [10, [40, 40, 20], "4/4/2"],
    [6, [33, 33, 34], "2/2/2"],
    [7, [1, 1, 1], "3/2/2"],
  ])("%d over %j is %s", (total, weights, expected) => {
    expect(seats(total, weights)).toBe(expected);
  });

  it.each([
    ["ascending", ["1/0", "2/1", "3/2", "4/3"]],
    ["descending", ["0/1", "1/2", "2/3", "3/4"]],
  ] as const)("1, 3, 5, 7 over 1:1 with names %s", (order, expected) => {
    expect([1, 3, 5, 7].map((total) => seats(total, [1, 1], order))).toEqual(expected);
  });

  it("uid 2 has an odd hash, so names descend; without a uid they ascend", () => {
    expect(["2", ""].map(nameOrderOf)).toEqual(["descending", "ascending"]);
  });
});

describe("Webster's division continued from one seat each (semantics 4.13, member min and max)", () => {
  it.each([
    [2, [4, 1], "1/1"],
    [10, [4, 1], "8/2"],
    [3, [4, 1], "2/1"],
    [10, [7, 3], "7/3"],
  ])("%d over %j is %s", (total, weights, expected) => {
    expect(
      seats(
        total - weights.length,
        weights,
        "ascending",
        weights.map(() => 1),
      ),
    ).toBe(expected);
  });
});

describe("edges of Webster's division", () => {
  it.each([
    ["no seats", 0, [4, 1], "0/0"],
    ["nobody has votes: in turn", 5, [0, 0], "3/2"],
    ["someone has votes: the others get none", 5, [0, 3], "0/5"],
  ])("%s", (_, total, weights, expected) => {
    expect(seats(total, weights)).toBe(expected);
  });

  it("no parties get nothing", () => {
    expect(allocateSeats(5, [], "ascending")).toEqual([]);
  });
});
