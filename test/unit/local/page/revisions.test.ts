import { describe, expect, it } from "vitest";
import { Courses } from "#infra/local/page/courses";
import { Revisions } from "#infra/local/page/revisions";

function counted() {
  let revision = 0;
  return () => ++revision;
}

const point = (atMs: number, why = "") => ({
  atMs,
  result: "unchanged",
  why,
  clusters: {},
  unread: [],
  demand: [],
});

describe("revisions", () => {
  it("tell what changed after a revision, each entry once, as it is now", () => {
    const next = counted();
    const entries = new Revisions<{ n: number }>();
    entries.set("a", { n: 1 }, next);
    entries.set("b", { n: 1 }, next);
    entries.set("a", { n: 2 }, next);
    entries.set("a", { n: 3 }, next);
    expect(entries.since(2)).toEqual({ changed: [{ n: 3 }], gone: [] });
    expect(entries.since(0)?.changed).toHaveLength(2);
    expect(entries.since(4)).toEqual({ changed: [], gone: [] });
  });

  it("an entry that is set to what it was has not changed", () => {
    const next = counted();
    const entries = new Revisions<{ n: number }>();
    entries.set("a", { n: 1 }, next);
    entries.replace([["a", { n: 1 }]], next);
    expect(entries.since(1)).toEqual({ changed: [], gone: [] });
  });

  it("what is not among the new ones is gone, until it is there again", () => {
    const next = counted();
    const entries = new Revisions<{ n: number }>();
    entries.replace(
      [
        ["a", { n: 1 }],
        ["b", { n: 1 }],
      ],
      next,
    );
    entries.replace([["b", { n: 1 }]], next);
    expect(entries.since(2)).toEqual({ changed: [], gone: ["a"] });
    entries.set("a", { n: 1 }, next);
    expect(entries.since(2)).toEqual({ changed: [{ n: 1 }], gone: [] });
  });

  it("who missed more removals than are remembered is told to begin anew", () => {
    const next = counted();
    const entries = new Revisions<number>();
    for (let index = 0; index < 2_500; index++) entries.set(`k${index}`, index, next);
    entries.replace([], next);
    expect(entries.since(2_500)).toBeUndefined();
    expect(entries.since(4_900)?.gone).toHaveLength(100);
    expect(entries.since(0)).toEqual({ changed: [], gone: expect.anything() });
  });
});

describe("courses", () => {
  it("keep points in order; another of the same instant takes its place", () => {
    const courses = new Courses();
    courses.add("a", point(30), 1);
    courses.add("a", point(10), 2);
    courses.add("a", point(30, "again"), 3);
    expect(courses.since("a", 0).map(({ atMs, why }) => [atMs, why])).toEqual([
      [10, ""],
      [30, "again"],
    ]);
    expect(courses.since("a", 2).map(({ atMs }) => atMs)).toEqual([30]);
  });

  it("are bounded: twelve hours of one object, less of each where there are many", () => {
    const one = new Courses();
    for (let slot = 0; slot < 4_000; slot++) one.add("a", point(slot), slot);
    expect(one.since("a", -1)).toHaveLength(2_880);
    expect(one.keptFromMs("a")).toBe(4_000 - 2_880);
    const many = new Courses();
    for (let slot = 0; slot < 100; slot++) {
      for (let object = 0; object < 1_000; object++) many.add(`k${object}`, point(slot), slot);
    }
    expect(many.since("k0", -1)).toHaveLength(60);
  });
});
