import { describe, expect, it } from "vitest";
import { inDirection } from "#domain/scale/direction";
import { isWithinTolerance, toleranceOf } from "#domain/scale/tolerance";
import {
  condition,
  cpu,
  decide,
  type Fleet,
  objectAverage,
  objectValue,
  podsMetric,
  podWith,
  proposedBy,
  ready,
  scaleDown,
  scaleUp,
  times,
  unmeasured,
  value,
} from "#test/unit/scale/fleet";

const deleted = { deleted: true };
const notReady = { ready: { status: "False", sinceMs: 0 } };

describe("proposal of one metric (cases, calculator)", () => {
  it.each<[string, Fleet, number]>([
    [
      "utilization docstring: 50m, 30m, 70m of 100m each, target 60 %: 50 %, ceil(0.83 × 3) = 3",
      { metrics: [cpu(60)], clusters: { a: { pods: [ready(50), ready(30), ready(70)] } } },
      3,
    ],
    [
      "B01: exactly on target nothing is filled in for a pod without a sample",
      { metrics: [podsMetric(1000)], clusters: { a: { pods: [...times(3, ready(1000)), unmeasured()] } } },
      4,
    ],
    [
      "B02: a surge pod without a sample does not turn an idle app around",
      { template: 2, clusters: { a: { replicas: 2, pods: [ready(10), ready(10), unmeasured()] } } },
      2,
    ],
    [
      "B04: one of two clusters out of sight, the other at 120 % of 80 %: ceil(1.5 × 3 ÷ (3 ÷ 6)) = 9",
      {
        metrics: [cpu(80)],
        template: 6,
        clusters: {
          a: { pods: times(3, ready(120)) },
          b: { replicas: 3, unreadable: { scale: "cluster-not-ready" } },
        },
      },
      9,
    ],
    [
      "B05: Object per pod, 4e9 ÷ 0.1 is cut to 2^31 − 1, not wrapped",
      {
        metrics: [objectAverage(100)],
        values: { 0: value(4_000_000_000_000) },
        clusters: { a: { pods: times(10, ready()) } },
      },
      2_147_483_647,
    ],
    [
      "B07: Object per pod inside tolerance answers the template's 10, not the 11 that run",
      {
        metrics: [objectAverage(10_000)],
        values: { 0: value(105_000) },
        clusters: { a: { replicas: 10, statusReplicas: 11, pods: times(11, ready()) } },
      },
      10,
    ],
    [
      "B08: surge pods dilute the ratio as in Kubernetes: 90 ÷ (10 × 15) = 0.6, ceil(90 ÷ 10) = 9",
      {
        metrics: [objectAverage(10_000)],
        values: { 0: value(90_000) },
        clusters: { a: { replicas: 10, statusReplicas: 15, pods: times(15, ready()) } },
      },
      9,
    ],
    [
      "B10: pods still starting are not multiplied: ceil(2 × 5) = 10",
      {
        metrics: [objectValue(10_000)],
        values: { 0: value(20_000) },
        clusters: { a: { pods: [...times(5, ready()), ...times(5, podWith(notReady))] } },
      },
      10,
    ],
    [
      "B11: ready pods that are being deleted count for an Object metric: ceil(1.5 × 6) = 9",
      {
        metrics: [objectValue(10_000)],
        values: { 0: value(15_000) },
        template: 4,
        clusters: { a: { replicas: 4, pods: [...times(4, ready()), ...times(2, podWith(deleted))] } },
      },
      9,
    ],
    ["B13, D-01: 55 % of 50 % stays", { clusters: { a: { pods: times(3, ready(55)) } } }, 3],
    ["B13: 45 % of 50 % stays", { clusters: { a: { pods: times(3, ready(45)) } } }, 3],
    ["B13: 56 % of 50 % goes up", { clusters: { a: { pods: times(3, ready(56)) } } }, 4],
    [
      "semantics 4.4: 150m of 251m are 59.76 % and count as 59 %, within tolerance of 54 %",
      { metrics: [cpu(54)], clusters: { a: { pods: [podWith({ containers: oneContainer(251) }, 150)] } } },
      1,
    ],
    [
      "B14: from template 0 an Object metric answers the ratio alone, without pods or calibration",
      {
        min: 0,
        template: 0,
        metrics: [objectValue(10_000)],
        values: { 0: value(30_000) },
        clusters: { a: { replicas: 0 } },
      },
      3,
    ],
    [
      "C01, D-04: duplicated over two clusters, 150 ÷ 10 ÷ 2: calibration divides once",
      {
        duplicated: true,
        template: 5,
        metrics: [objectAverage(10_000)],
        values: { 0: value(150_000) },
        clusters: { a: { pods: times(5, ready()) }, b: { pods: times(5, ready()) } },
      },
      8,
    ],
    [
      "semantics 4.5: duplicated 2 × 2 pods at 20 % of 10 %: ceil(2 × 4 ÷ 2) = 4 per cluster",
      {
        duplicated: true,
        template: 2,
        metrics: [cpu(10)],
        clusters: { a: { pods: times(2, ready(20)) }, b: { pods: times(2, ready(20)) } },
      },
      4,
    ],
    [
      "semantics 4.5: divided 1 + 1 pods at 20 % of 10 %: ceil(2 × 2 ÷ 1) = 4 in all",
      { metrics: [cpu(10)], clusters: { a: { pods: [ready(20)] }, b: { pods: [ready(20)] } } },
      4,
    ],
    [
      "semantics 4.5: 30 of 40 pods in sight at 60 % of 50 %: 48, as if the others were as busy",
      {
        template: 40,
        clusters: {
          a: { pods: times(30, ready(60)) },
          b: { replicas: 10, unreadable: { scale: "cluster-unreachable" } },
        },
      },
      48,
    ],
    [
      "B56: template 5 duplicated over two clusters, 10 pods at 150 % of 100 %: ceil(1.5 × 10 ÷ 2) = 8",
      {
        duplicated: true,
        template: 5,
        metrics: [cpu(100)],
        clusters: { a: { pods: times(5, ready(150)) }, b: { pods: times(5, ready(150)) } },
      },
      8,
    ],
    [
      "D-02: at three times its target with one of four pods ready it never shrinks",
      {
        metrics: [objectValue(10_000)],
        values: { 0: value(30_000) },
        clusters: { a: { pods: [ready(), ...times(3, podWith(notReady))] } },
      },
      4,
    ],
    [
      "Object per pod, status replicas 0: ceil(usage ÷ target ÷ calibration)",
      {
        metrics: [objectAverage(10_000)],
        values: { 0: value(95_000) },
        clusters: { a: { replicas: 5, statusReplicas: 0 } },
      },
      10,
    ],
    [
      "External by value: as an Object metric",
      {
        metrics: [
          { type: "External", name: "queue", selector: "", target: { type: "Value", value: 10_000 } },
        ],
        values: { 0: value(20_000) },
        clusters: { a: { pods: times(3, ready()) } },
      },
      6,
    ],
    [
      "External by average value: ceil(95 ÷ 10) = 10",
      {
        metrics: [
          {
            type: "External",
            name: "queue",
            selector: "",
            target: { type: "AverageValue", averageValue: 10_000 },
          },
        ],
        values: { 0: value(95_000) },
        clusters: { a: { pods: times(3, ready()) } },
      },
      10,
    ],
    [
      "memory sums beyond 2^53 stay exact: 1,000 pods of 16 GiB at 101 % of a request",
      {
        template: 1000,
        max: 5000,
        metrics: [
          { type: "Resource", name: "memory", target: { type: "Utilization", averageUtilization: 80 } },
        ],
        clusters: {
          a: {
            pods: times(1000, podWith({ containers: memoryOf(17_179_869_184_000) }, 17_351_667_875_840)),
          },
        },
      },
      1263,
    ],
  ])("%s", (_, fleet, expected) => {
    expect(proposedBy(fleet)).toBe(expected);
  });

  it("B05: the raw 2147483647 ends at the limit max(2 × 10, 4) = 20", () => {
    const decision = decide({
      min: 2,
      max: 50,
      metrics: [objectAverage(100)],
      values: { 0: value(4_000_000_000_000) },
      clusters: { a: { pods: times(10, ready()) } },
    });
    expect(decision.desiredReplicas).toBe(20);
    expect(condition(decision, "ScalingLimited")).toBe("True/ScaleUpLimit");
  });

  it.each([
    ["NaN", value(Number.NaN)],
    ["Infinity", value(Number.POSITIVE_INFINITY)],
    ["a negative value", value(-5)],
  ])("B05, D-11: %s is an invalid metric with a condition, and nothing is written", (_, reading) => {
    const decision = decide({
      metrics: [objectValue(10_000)],
      values: { 0: reading },
      clusters: { a: { pods: times(2, ready()) } },
    });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetObjectMetric");
  });

  it.each([0, -50, Number.NaN])("a target of %d cannot be divided by", (averageUtilization) => {
    const decision = decide({ metrics: [cpu(averageUtilization)], clusters: { a: { pods: [ready(50)] } } });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetResourceMetric");
  });

  it("B16: AverageValue with `value` filled in is an error, never an average", () => {
    const decision = decide({
      metrics: [{ ...objectAverage(1), target: { type: "AverageValue", value: 5000 } } as never],
      values: { 0: value(30_000) },
      clusters: { a: { pods: times(2, ready()) } },
    });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetObjectMetric");
  });
});

describe("tolerance (D-01)", () => {
  it("comes per direction from behavior, else from the controller", () => {
    const behavior = { scaleUp: scaleUp({ tolerance: 0.05 }), scaleDown: scaleDown() };
    expect(toleranceOf(behavior, 0.1)).toEqual({ up: 0.05, down: 0.1 });
    expect(toleranceOf(undefined, 0.2)).toEqual({ up: 0.2, down: 0.2 });
  });

  it.each([
    [1.05, true],
    [1.06, false],
    [0.9, true],
    [0.89, false],
  ])("up 0.05, down 0.1: ratio %d inside: %s", (ratio, inside) => {
    expect(isWithinTolerance(ratio, { up: 0.05, down: 0.1 })).toBe(inside);
  });

  it("D-17: a tolerance in behavior decides: 53 % of 50 % goes up with 0.05", () => {
    const behavior = { scaleUp: scaleUp({ tolerance: 0.05 }), scaleDown: scaleDown() };
    const clusters = { a: { pods: times(10, ready(53)) } };
    expect(proposedBy({ behavior, clusters })).toBe(11);
    expect(proposedBy({ clusters })).toBe(10);
  });
});

describe("direction (D-02)", () => {
  it.each([
    ["above its target, never fewer: 3 stays 4", 3, 1.5, 4, 4],
    ["below its target, never more", 6, 0.5, 4, 4],
    ["the right way passes", 6, 1.5, 4, 6],
  ])("%s", (_, proposal, ratio, current, expected) => {
    expect(inDirection(proposal, ratio, current)).toBe(expected);
  });
});

function oneContainer(cpuMilli: number) {
  return [{ name: "app", requests: { cpu: cpuMilli } }];
}

function memoryOf(memory: number) {
  return [{ name: "app", requests: { memory } }];
}
