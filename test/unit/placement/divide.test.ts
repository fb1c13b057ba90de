import { describe, expect, it } from "vitest";
import { type DivisionRequest, divideReplicas } from "#domain/placement/divide";

type Counts = Readonly<Record<string, number>>;

const assignments = (counts: Counts) =>
  Object.entries(counts).map(([name, replicas]) => ({ name, replicas }));

/** Candidates are the keys of `available`; the rest says what differs from a first, steady division. */
function divide(
  replicas: number,
  available: Counts,
  rest: Partial<DivisionRequest> & { readonly held?: Counts },
) {
  const { held = {}, ...request } = rest;
  const division = divideReplicas({
    strategy: "DynamicWeight",
    mode: "Steady",
    uid: "",
    hasReplicaRequirements: true,
    replicas,
    candidates: Object.entries(available).map(([name, availableReplicas]) => ({
      name,
      labels: { region: name },
      availableReplicas,
    })),
    previous: assignments(held),
    ...request,
  });
  if (!division.ok) return division.fault.detail;
  return Object.fromEntries(division.value.map((assignment) => [assignment.name, assignment.replicas]));
}

describe("static weights (systems P1, semantics 4.8)", () => {
  it.each([
    [9, { a: 40, b: 35, c: 25 }, { a: 4, b: 3, c: 2 }],
    [6, { a: 33, b: 33, c: 34 }, { a: 2, b: 2, c: 2 }],
    [10, { a: 40, b: 40, c: 20 }, { a: 4, b: 4, c: 2 }],
    [5, { a: 4, b: 1 }, { a: 4, b: 1 }],
    [9, { a: 1, b: 3 }, { a: 2, b: 7 }],
    [5, { a: 1, b: 1 }, { a: 3, b: 2 }],
    [10, { a: 1, b: 1 }, { a: 5, b: 5 }],
  ])("%d over %j is %j", (replicas, weights, expected) => {
    const staticWeights = Object.entries(weights).map(([name, weight]) => ({
      targetCluster: { clusterNames: [name] },
      weight,
    }));
    expect(divide(replicas, weights, { strategy: "StaticWeight", staticWeights })).toEqual(expected);
  });

  it("ignores capacity and the division that stands: 6 over 1:1, all in A before, is 3/3", () => {
    expect(divide(6, { a: 0, b: 0 }, { strategy: "StaticWeight", held: { a: 6 } })).toEqual({ a: 3, b: 3 });
  });

  it("gives a cluster that several rules mean the greatest weight, and leaves out one that none means", () => {
    const staticWeights = [
      { targetCluster: { clusterNames: ["a"] }, weight: 1 },
      {
        targetCluster: {
          labelSelector: { requirements: [{ key: "region", operator: "in" as const, values: ["a", "b"] }] },
        },
        weight: 2,
      },
      { targetCluster: { exclude: ["a", "c"] }, weight: 1 },
    ];
    expect(divide(4, { a: 0, b: 0, c: 0 }, { strategy: "StaticWeight", staticWeights })).toEqual({
      a: 2,
      b: 2,
    });
  });

  it("weighs all alike where no candidate has a weight", () => {
    const staticWeights = [{ targetCluster: { clusterNames: ["elsewhere"] }, weight: 5 }];
    expect(divide(7, { a: 0, b: 0, c: 0 }, { strategy: "StaticWeight", staticWeights })).toEqual({
      a: 3,
      b: 2,
      c: 2,
    });
  });
});

describe("dynamic weights (systems C14, semantics 4.8)", () => {
  it.each([
    ["first", 15, { a: 100, b: 50 }, {}, { a: 10, b: 5 }],
    ["first", 12, { a: 6, b: 8, c: 10 }, {}, { a: 3, b: 4, c: 5 }],
    ["up: only what is new is divided", 30, { a: 90, b: 45 }, { a: 10, b: 5 }, { a: 20, b: 10 }],
    ["up", 12, { a: 1, b: 9 }, { a: 6, b: 2 }, { a: 6, b: 6 }],
    ["down: by the division that stands", 6, { a: 90, b: 45 }, { a: 10, b: 5 }, { a: 4, b: 2 }],
    ["down", 7, { a: 0, b: 0, c: 0 }, { a: 3, b: 4, c: 5 }, { a: 2, b: 2, c: 3 }],
    ["equal: unchanged, even if capacity moved", 15, { a: 0, b: 25 }, { a: 10, b: 5 }, { a: 10, b: 5 }],
    ["A is gone: all to B", 15, { b: 45 }, { a: 10, b: 5 }, { b: 15 }],
    ["A is gone, C is free", 15, { b: 30, c: 10 }, { a: 10, b: 5 }, { b: 12, c: 3 }],
  ])("%s: %d", (_, replicas, available, held, expected) => {
    expect(divide(replicas, available, { held })).toEqual(expected);
  });

  it("Fresh: by what is free and what stands together", () => {
    expect(divide(15, { a: 0, b: 25 }, { mode: "Fresh", held: { a: 10, b: 5 } })).toEqual({ a: 4, b: 11 });
  });

  it("not enough room: nothing is placed, and the text is the scheduler's", () => {
    expect(divide(5, { a: 1, b: 3 }, {})).toBe(
      "failed to scale up: Clusters available replicas 4 are not enough to schedule.",
    );
    expect(divide(5, { a: 1, b: 3 }, { mode: "Fresh" })).toBe(
      "failed to do fresh scale: Clusters available replicas 4 are not enough to schedule.",
    );
  });

  it("D-11: two clusters with 2e9 free replicas each have room for 5e8", () => {
    expect(divide(500_000_000, { a: 2_000_000_000, b: 2_000_000_000 }, {})).toEqual({
      a: 250_000_000,
      b: 250_000_000,
    });
  });
});

describe("aggregated (semantics 4.8)", () => {
  it.each([
    ["first", 8, { a: 5, b: 10, c: 6 }, {}, { b: 8 }],
    ["first", 12, { a: 5, b: 10, c: 6 }, {}, { b: 7, c: 5 }],
    ["first", 20, { a: 5, b: 10, c: 6 }, {}, { a: 5, b: 9, c: 6 }],
    ["up stays where it is", 8, { a: 10, b: 20 }, { a: 4 }, { a: 8 }],
    ["up spreads when it must", 14, { a: 7, b: 16 }, { a: 4 }, { a: 7, b: 7 }],
    ["down", 5, { a: 0, b: 0 }, { a: 5, b: 7 }, { b: 5 }],
    ["down", 8, { a: 0, b: 0 }, { a: 5, b: 7 }, { a: 3, b: 5 }],
  ])("%s: %d", (_, replicas, available, held, expected) => {
    expect(divide(replicas, available, { strategy: "Aggregated", held })).toEqual(expected);
  });

  it("Fresh: one cluster that can hold all gets all", () => {
    const held = { a: 5, b: 7 };
    expect(divide(12, { a: 0, b: 0, c: 20 }, { strategy: "Aggregated", mode: "Fresh", held })).toEqual({
      c: 12,
    });
  });
});

describe("what is alike for all strategies", () => {
  it("Duplicated gives each cluster the full count", () => {
    expect(divide(5, { b: 0, a: 0 }, { strategy: "Duplicated" })).toEqual({ a: 5, b: 5 });
  });

  it("0 replicas list every candidate only where the pods are unknown", () => {
    expect(divide(0, { a: 9 }, { hasReplicaRequirements: false })).toEqual({ a: 0 });
    expect(divide(0, { a: 9 }, { hasReplicaRequirements: true })).toEqual({});
  });

  it("no candidate is a fault, not an empty division", () => {
    expect(divide(1, {}, {})).toBe("no clusters available to schedule");
  });
});
