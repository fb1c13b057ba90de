import { describe, expect, it } from "vitest";
import { measureOutcomes } from "#app/reconcile/measure-outcomes";
import type { Outcome } from "#app/reconcile/outcome";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { Decision } from "#domain/scale/decision";
import type { MeasureDimensions, MeasureName } from "#ports/telemetry";

const DUE_MS = Date.UTC(2026, 2, 2, 9);
const turn = { hub: "eu", dueAtMs: DUE_MS, endedAtMs: DUE_MS + 850, periodMs: 15_000 };

interface Case {
  readonly result?: "scaled" | "unchanged" | "would-scale";
  readonly scale?: readonly [from: number, to: number];
  readonly wanted?: number;
  readonly placed?: number;
  /** Replicas by cluster; a gap where it could not be read. */
  readonly clusters?: Readonly<Record<string, number | "gap">>;
  readonly evictions?: readonly number[];
  readonly metrics?: readonly ("read" | "failed")[];
}

function decided({
  result = "unchanged",
  scale,
  wanted = 4,
  placed,
  clusters = {},
  evictions,
  metrics = [],
}: Case): Outcome {
  const decision = {
    currentReplicas: wanted,
    ...(scale && { scale: { from: scale[0], to: scale[1], reason: "" } }),
    trace: {
      clusters: Object.entries(clusters).map(([cluster, replicas]) =>
        replicas === "gap"
          ? { cluster, gap: { code: "cluster-unreachable", message: "" } }
          : { cluster, specReplicas: replicas, statusReplicas: replicas },
      ),
      metrics: metrics.map((of) =>
        of === "read" ? { usageRatio: 1 } : { fault: { code: "metric-unreadable" } },
      ),
      ...(placed === undefined ? {} : { placement: { caughtUp: placed === wanted, placed } }),
    },
  } as unknown as Decision;
  const snapshot = { binding: { ok: true, value: { evictions } } } as unknown as Snapshot;
  return { result, decision, conditionsChanged: false, decidedFrom: { snapshot, history: {} as never } };
}

function measured(...outcomes: readonly Outcome[]) {
  const records: [MeasureDimensions, Partial<Record<MeasureName, number>>][] = [];
  const telemetry = { record: (...record: (typeof records)[number]) => void records.push(record) };
  measureOutcomes(telemetry, turn, new Map(outcomes.map((outcome, i) => [`shop/${i}`, outcome])));
  return records;
}

const ofHub = (...outcomes: readonly Outcome[]) => measured(...outcomes)[0]?.[1];

describe("measures of a message", () => {
  it("how many were evaluated, how many not, and how long after they were due", () => {
    expect(
      ofHub(decided({}), { result: "gone" }, { result: "failed", message: "" }, { result: "out-of-time" }),
    ).toMatchObject({ ObjectsEvaluated: 2, ObjectsFailed: 2, DecisionLatency: 850 });
  });

  it("B52: metrics that could not be read are counted by themselves, whatever the object's evaluation came to", () => {
    const outcomes = [
      decided({ metrics: ["read", "failed"] }),
      decided({ metrics: ["failed"] }),
      decided({}),
    ];
    expect(ofHub(...outcomes)).toMatchObject({ ObjectsEvaluated: 3, MetricsFailed: 2 });
  });

  it("scales that were made, out and in; one that would be is none", () => {
    const scales: Case[] = [
      { result: "scaled", scale: [1, 5] },
      { result: "scaled", scale: [2, 3] },
      { result: "scaled", scale: [9, 4] },
      { result: "would-scale", scale: [1, 9] },
    ];
    expect(ofHub(...scales.map(decided))).toMatchObject({ ScaleOuts: 2, ScaleIns: 1 });
  });

  it("a cluster that two objects miss is one unreadable cluster", () => {
    const clusters = { member1: 3, member2: "gap" } as const;
    expect(ofHub(decided({ clusters }), decided({ clusters }))).toMatchObject({ UnreadableClusters: 1 });
  });

  it("replicas that are off are added up either way, of objects whose placement was looked at (O1)", () => {
    const outcomes = [
      decided({ wanted: 10, placed: 7 }),
      decided({ wanted: 4, placed: 6 }),
      decided({ wanted: 9 }),
    ];
    expect(ofHub(...outcomes)).toMatchObject({ ReplicasWanted: 14, ReplicasOff: 5 });
  });

  it("replicas by cluster, over all objects; a cluster that was not read has no number", () => {
    const [, ...byCluster] = measured(
      decided({ clusters: { member1: 3, member2: 2 } }),
      decided({ clusters: { member1: 4, member2: "gap" } }),
    );
    expect(byCluster).toEqual([
      [{ hub: "eu", cluster: "member1" }, { Replicas: 7 }],
      [{ hub: "eu", cluster: "member2" }, { Replicas: 2 }],
    ]);
  });

  it("an eviction counts in the slot in which it began, and in no other (O1)", () => {
    const evictions = [DUE_MS - 15_000, DUE_MS - 14_000, DUE_MS, DUE_MS + 1];
    expect(ofHub(decided({ evictions }), decided({}))).toMatchObject({ Evictions: 2 });
  });
});
