import { describe, expect, it } from "vitest";
import { compareSummaries } from "#infra/simulate/compare";
import type { SimulatedObject, SimulatedScale } from "#infra/simulate/result";
import { type Observed, summarize, summarizeAll } from "#infra/simulate/summarize";

const SLOT = 15;

/** One cluster unless said otherwise, everything ready, nothing above its target. */
function observed(some: Partial<Observed> & Pick<Observed, "replicas">): Observed {
  const wanted = some.replicas.map((value) => value ?? 0);
  return {
    maxReplicas: wanted.map(() => 10),
    desired: some.replicas,
    isAbove: wanted.map(() => false),
    byCluster: [{ cluster: "a", wanted, ready: wanted }],
    scales: [],
    slotSeconds: SLOT,
    ...some,
  };
}

function scale(second: number, from: number, to: number): SimulatedScale {
  const rest = { clustersBefore: [], clustersAfter: [], reason: "", cause: "", limits: [], account: [] };
  return { atMs: second * 1000, from, to, ...rest };
}

describe("the figures of a run (docs/simulate.md)", () => {
  it("replica-hours are what the scheduler gave, per cluster and in all, to three decimals", () => {
    const summary = summarize(
      observed({
        replicas: [3, 3],
        byCluster: [
          { cluster: "a", wanted: [2, 2], ready: [0, 0] },
          { cluster: "b", wanted: [1, 0], ready: [0, 0] },
        ],
      }),
    );
    // (4 + 1) replicas x 15 s; 75 / 3600 and 60 / 3600 and 15 / 3600.
    expect(summary.replicaHours).toBe(0.021);
    expect(summary.byCluster).toEqual([
      { cluster: "a", replicaHours: 0.017, maxReplicas: 2 },
      { cluster: "b", replicaHours: 0.004, maxReplicas: 1 },
    ]);
  });

  it("fewest and most replicas are the template's; slots without a template do not count", () => {
    expect(summarize(observed({ replicas: [null, 4, 2, 9] }))).toMatchObject({
      minReplicas: 2,
      maxReplicas: 9,
    });
    expect(summarize(observed({ replicas: [null] }))).toMatchObject({ minReplicas: 0, maxReplicas: 0 });
  });

  it("time above target and at maxReplicas count slots", () => {
    const summary = summarize(
      observed({
        replicas: [9, 10, 11, null],
        isAbove: [true, true, true, false],
        maxReplicas: [10, 10, 10, 10],
      }),
    );
    expect(summary).toMatchObject({ timeAboveTargetSeconds: 45, timeAtMaxSeconds: 30 });
  });

  it.each([
    ["up, then down 300 s later", [scale(0, 1, 5), scale(300, 5, 2)], 1],
    ["up, then down 315 s later", [scale(0, 1, 5), scale(315, 5, 2)], 0],
    ["down and down", [scale(0, 5, 3), scale(15, 3, 2)], 0],
    ["down, up, down", [scale(0, 5, 3), scale(15, 3, 5), scale(30, 5, 3)], 2],
  ])("flaps: %s", (_name, scales, flaps) => {
    const ups = scales.filter(({ from, to }) => to > from).length;
    const expected = { flaps, scaleEvents: scales.length, scaleUps: ups, scaleDowns: scales.length - ups };
    expect(summarize(observed({ replicas: [1], scales }))).toMatchObject(expected);
  });

  it.each([
    ["nothing rises", [false, false], [1, 1], [1, 1], 0, false],
    ["met at the next slot", [true, false, false], [1, 1, 1], [1, 1, 1], 15, false],
    ["met, but not all are ready yet", [true, false, false, false], [1, 3, 3, 3], [1, 1, 2, 3], 45, false],
    ["the longest of two", [true, false, true, true, false], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 30, false],
    ["not over at the end", [false, true, true], [1, 1, 1], [1, 1, 1], 30, true],
    ["unready without a rise is none", [false, false], [3, 3], [1, 1], 0, false],
  ])("settle: %s", (_name, isAbove, wanted, ready, settleSeconds, unsettled) => {
    const byCluster = [{ cluster: "a", wanted, ready }];
    expect(summarize(observed({ replicas: wanted, isAbove, byCluster }))).toMatchObject({
      settleSeconds,
      unsettled,
    });
  });

  it("a slot that could not decide does not end a rise, and is counted", () => {
    const summary = summarize(
      observed({ replicas: [1, 1, 1], desired: [1, null, 1], isAbove: [true, false, false] }),
    );
    expect(summary).toMatchObject({ settleSeconds: 30, failedEvaluations: 1 });
  });

  it("over all objects: sums, the longest settling, replicas together", () => {
    const object = (replicas: number[], isAbove: boolean[]) =>
      ({
        replicas,
        byCluster: [{ cluster: "a", wanted: replicas, ready: replicas }],
        summary: summarize(observed({ replicas, isAbove })),
      }) as unknown as SimulatedObject;
    const all = summarizeAll(
      [object([1, 4, 1], [true, false, false]), object([2, 1, 1], [true, true, false])],
      [{ outcome: "applied" }, { outcome: "failed" }, { outcome: "missed" }] as never,
      ["a", "b"],
      SLOT,
    );
    expect(all).toMatchObject({
      timeAboveTargetSeconds: 45,
      settleSeconds: 30,
      minReplicas: 2,
      maxReplicas: 5,
      replicaHours: 0.042,
      cronRuns: 3,
      cronRunsFailed: 2,
      byCluster: [
        { cluster: "a", replicaHours: 0.042, maxReplicas: 5 },
        { cluster: "b", replicaHours: 0, maxReplicas: 0 },
      ],
    });
  });

  it("compared: every figure, and how much more the second has", () => {
    const first = summarize(observed({ replicas: [1, 1], scales: [scale(0, 1, 2)] }));
    const second = summarize(observed({ replicas: [2, 2], isAbove: [true, true] }));
    const compared = compareSummaries(first, second);
    const of = (figure: string) => compared.find((one) => one.figure === figure);
    expect(of("replicaHours")).toEqual({
      figure: "replicaHours",
      first: 0.008,
      second: 0.017,
      difference: 0.009,
    });
    expect(of("scaleEvents")).toMatchObject({ first: 1, second: 0, difference: -1 });
    expect(of("unsettled")).toMatchObject({ first: 0, second: 1, difference: 1 });
  });
});
