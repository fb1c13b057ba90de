import { describe, expect, it } from "vitest";
import { courseTimeline } from "#infra/browser/page/course-timeline";
import { applyUpdate, emptyState } from "#infra/browser/page/fleet-state";
import type { Point, Update } from "#infra/browser/page/protocol";

function point(atMs: number, part: Partial<Point> = {}): Point {
  return {
    atMs,
    result: "unchanged",
    from: 1,
    to: 1,
    why: "",
    clusters: {},
    unread: [],
    demand: [],
    ...part,
  };
}

describe("a course as charts draw it", () => {
  it("has a layer for each cluster that ever had replicas: 0 where it has none, nothing where nobody knows", () => {
    const { clusters } = courseTimeline(
      [point(0, { clusters: { a: 1 } }), point(1, { clusters: { b: null } })],
      1,
    );
    expect(clusters).toEqual([
      { name: "a", replicas: [1, 0] },
      { name: "b", replicas: [0, null] },
    ]);
  });

  it("has what a shadow wanted, where there is one", () => {
    const shadow = { configMap: "other", to: 4, why: "cpu" };
    expect(courseTimeline([point(0), point(1, { shadow })], 1).shadow).toEqual([null, 4]);
    expect(courseTimeline([point(0)], 1)).not.toHaveProperty("shadow");
  });

  it("holds its last values until now", () => {
    expect(courseTimeline([point(10)], 25).untilMs).toBe(25);
  });

  it.each<[string, Partial<Point>, readonly string[]]>([
    ["a scale out", { result: "scaled", from: 1, to: 5, why: "cpu" }, ["up 1 → 5: cpu"]],
    ["a scale in", { result: "scaled", from: 5, to: 1, why: "cpu" }, ["down 5 → 1: cpu"]],
    [
      "one that is only observed",
      { result: "would-scale", from: 1, to: 5, why: "cpu" },
      ["up 1 → 5 (would-scale): cpu"],
    ],
    ["a limit", { figures: { metrics: [], limits: ["ScaleUpLimit"], gaps: [] } }, ["limited ScaleUpLimit"]],
    ["a hold without a limit", { result: "held", why: "someone else" }, ["limited held: someone else"]],
    ["a cluster that was not read", { unread: ["b"] }, ["trouble b could not be read"]],
    ["a failure", { result: "failed", why: "no table" }, ["trouble failed: no table"]],
    ["a cron run", { cron: ["rule open: to 6"] }, ["cron rule open: to 6"]],
    ["nothing at rest", {}, []],
  ])("marks %s", (_case, part, marks) => {
    expect(courseTimeline([point(0, part)], 0).marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
      marks,
    );
  });

  it("has no value of a metric where another was asked, and the target beside it", () => {
    const figures = (name: string) => ({
      metrics: [{ name, unit: "%" as const, value: 50, target: 60 }],
      limits: [],
      gaps: [],
    });
    const { metrics } = courseTimeline(
      [point(0, { figures: figures("memory") }), point(1, { figures: figures("cpu") })],
      1,
    );
    expect(metrics).toEqual([{ name: "cpu", unit: "%", values: [null, 50], target: [null, 60] }]);
  });
});

describe("what the page knows", () => {
  const update = (part: Partial<Update>): Update => ({ whole: false, nowMs: 0, mode: "embedded", ...part });

  it("takes points in any order, the later word for an instant, and forgets what the host forgot", () => {
    const state = { ...emptyState(), key: "x/a" };
    applyUpdate(state, update({ course: { key: "x/a", points: [point(30), point(10)], keptFromMs: 0 } }));
    applyUpdate(state, update({ course: { key: "x/a", points: [point(30, { why: "b" })], keptFromMs: 20 } }));
    expect(state.points.map(({ atMs, why }) => [atMs, why])).toEqual([[30, "b"]]);
  });

  it("drops points of an object that is not chosen any more", () => {
    const state = { ...emptyState(), key: "x/b" };
    applyUpdate(state, update({ course: { key: "x/a", points: [point(30)], keptFromMs: 0 } }));
    expect(state.points).toEqual([]);
  });

  it("begins anew where everything is sent", () => {
    const state = { ...emptyState(), key: "x/a", points: [point(1)] };
    state.objects.set("x/old", { key: "x/old", state: "steady" });
    const changed = applyUpdate(state, update({ whole: true, objects: [{ key: "x/a", state: "new" }] }));
    expect([[...state.objects.keys()], state.points, changed.keys]).toEqual([["x/a"], [], true]);
  });
});
