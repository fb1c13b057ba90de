import { describe, expect, it } from "vitest";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { MetricSpec } from "#domain/spec/federated-hpa";
import {
  CPU_50,
  condition,
  decide,
  metricFault,
  objectValue,
  podsMetric,
  ready,
  remembered,
  snapshotOf,
  times,
  value,
} from "#test/unit/scale/fleet";

const rps = objectValue(10_000);
const external: MetricSpec = {
  type: "External",
  name: "queue",
  selector: "",
  target: { type: "AverageValue", averageValue: 10_000 },
};
/** Nothing higher was recommended lately, so a scale-in is free to happen. */
const FREE = remembered([1, 1000]);

describe("several metrics (cases, metrics; semantics 4.1, point 8)", () => {
  it("the largest proposal wins and names the reason", () => {
    const decision = decide({
      metrics: [CPU_50, rps],
      values: { 1: value(30_000) },
      clusters: { a: { pods: times(3, ready(75)) } },
    });
    expect(decision.trace.metrics.map(({ proposal }) => proposal)).toEqual([5, 9]);
    expect(decision.scale).toEqual({ from: 3, to: 6, reason: "Service metric rps above target" });
  });

  it("B42: CPU says 1 but the other metric fails: stays 3, with the failing metric's reason", () => {
    const decision = decide(
      {
        metrics: [CPU_50, rps],
        values: { 1: metricFault("404 no such metric") },
        clusters: { a: { pods: times(3, ready(10)) } },
      },
      FREE,
    );
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetObjectMetric");
    expect(decision.events.map(({ reason }) => reason)).toEqual([
      "FailedGetObjectMetric",
      "FailedComputeMetricsReplicas",
    ]);
    expect(decision.failure?.message).toBe(
      "invalid metrics (1 invalid out of 2), first error is: failed to get object metric value: unable to get metric rps: 404 no such metric",
    );
  });

  it("B43: CPU says 5 and the other metric fails: goes to 5, and the failure is reported", () => {
    const decision = decide({
      metrics: [CPU_50, rps],
      values: { 1: metricFault("404 no such metric") },
      clusters: { a: { pods: times(3, ready(75)) } },
    });
    expect(decision.scale?.to).toBe(5);
    expect(condition(decision, "ScalingActive")).toBe("True/ValidMetricFound");
    expect(decision.events.map(({ reason }) => reason)).toEqual(["FailedGetObjectMetric"]);
    expect(decision.failure?.reason).toBe("FailedGetObjectMetric");
  });

  it("semantics 4.1: the first of equal proposals names it", () => {
    const clusters = { a: { pods: times(2, ready(75, 150)) } };
    const decision = decide({ metrics: [CPU_50, podsMetric(100)], clusters });
    expect(decision.trace.metrics.map(({ proposal }) => proposal)).toEqual([3, 3]);
    expect(decision.scale?.reason).toBe("cpu resource utilization (percentage of request) above target");
  });

  it("semantics 4.1: one fails and the other says stay: that is a valid metric, the failure is reported", () => {
    const decision = decide({
      metrics: [CPU_50, rps],
      values: { 1: metricFault("404") },
      clusters: { a: { pods: times(3, ready(50)) } },
    });
    expect(decision.desiredReplicas).toBe(3);
    expect(condition(decision, "ScalingActive")).toBe("True/ValidMetricFound");
    expect(decision.events.map(({ reason }) => reason)).toEqual(["FailedGetObjectMetric"]);
  });

  it("B44, D-15: currentMetrics shows what was computed now, and nothing of the metric that failed", () => {
    const decision = decide({
      metrics: [CPU_50, rps],
      values: { 1: metricFault("404") },
      clusters: { a: { pods: times(3, ready(40)) } },
      status: {
        currentMetrics: [
          { type: "Resource", name: "cpu", current: { averageUtilization: 95, averageValue: 95 } },
          { type: "Object", name: "rps", current: { value: 1 } },
        ],
      },
    });
    expect(decision.status.currentMetrics).toEqual([
      { type: "Resource", name: "cpu", current: { averageUtilization: 40, averageValue: 40 } },
    ]);
    expect(decision.scale).toBeUndefined();
  });

  it("currentMetrics: each type has what names it, and a selector only where it was given", () => {
    const container: MetricSpec = { ...CPU_50, type: "ContainerResource", container: "app" } as MetricSpec;
    const rpsOf = { ...podsMetric(100), selector: "path=/" } as MetricSpec;
    const decision = decide({
      metrics: [container, rpsOf, rps, external],
      values: { 2: value(10_000), 3: value(30_000) },
      clusters: { a: { pods: times(3, ready(50, 100)) } },
    });
    const describedObject = { apiVersion: "v1", kind: "Service", name: "front" };
    expect(decision.status.currentMetrics).toEqual([
      {
        type: "ContainerResource",
        name: "cpu",
        container: "app",
        current: { averageUtilization: 50, averageValue: 50 },
      },
      { type: "Pods", name: "rps", selector: "path=/", current: { averageValue: 100 } },
      { type: "Object", name: "rps", describedObject, current: { value: 10_000 } },
      { type: "External", name: "queue", current: { averageValue: 10_000 } },
    ]);
  });

  it("B46: a sum that lacks a cluster's part never scales in", () => {
    const partial = { ...value(6_000), missingClusters: ["b"] } as const;
    const decision = decide(
      { metrics: [rps], values: { 0: partial }, clusters: { a: { pods: times(3, ready()) } } },
      FREE,
    );
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/FailedGetObjectMetric");
    expect(decision.trace.metrics[0]?.fault).toMatchObject({ code: "value-incomplete" });
  });

  it("B46: … but it is enough to scale out by, because the whole is not less", () => {
    const partial = { ...value(20_000), missingClusters: ["b"] } as const;
    const decision = decide({
      metrics: [rps],
      values: { 0: partial },
      clusters: { a: { pods: times(3, ready()) } },
    });
    expect(decision.scale?.to).toBe(6);
  });

  it("B46: … and a part that alone is on target is no failure", () => {
    const partial = { ...value(10_000), missingClusters: ["b"] } as const;
    const decision = decide({
      metrics: [rps],
      values: { 0: partial },
      clusters: { a: { pods: times(3, ready()) } },
    });
    expect(decision.desiredReplicas).toBe(3);
    expect(decision.failure).toBeUndefined();
  });

  it("B47: External where it is refused is InvalidMetricSourceType, and CPU does not scale in", () => {
    const fleet = {
      metrics: [CPU_50, external],
      values: { 1: value(0) },
      clusters: { a: { pods: times(3, ready(10)) } },
    };
    const decision = decide(fleet, FREE, { allowExternal: false });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidMetricSourceType");
    expect(decision.failure?.message).toContain('unknown metric source type "External"');
  });

  it("a type that nobody knows is InvalidMetricSourceType too", () => {
    const bogus = { type: "Bogus", name: "x", target: { type: "Value" } } as unknown as MetricSpec;
    const decision = decide({ metrics: [bogus], clusters: { a: { pods: [ready()] } } });
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidMetricSourceType");
  });

  it("no metric at all is the spec's fault", () => {
    const decision = decide({ metrics: [], clusters: { a: { pods: [ready()] } } });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSpec");
  });

  it("B58: when every metric fails, nothing is desired and nothing written", () => {
    const decision = decide({
      metrics: [rps],
      values: { 0: metricFault("503") },
      clusters: { a: { pods: times(3, ready()) } },
      status: { currentReplicas: 3, desiredReplicas: 3 },
    });
    expect(decision.desiredReplicas).toBeUndefined();
    expect(decision.scale).toBeUndefined();
    expect(decision.status).toMatchObject({ currentReplicas: 3, desiredReplicas: 3, currentMetrics: [] });
  });

  it("semantics 4.1: an empty answer of the metrics API is no load of 0", () => {
    const decision = decide(
      { metrics: [podsMetric(1000)], clusters: { a: { pods: times(2, ready()) } } },
      FREE,
    );
    expect(decision.scale).toBeUndefined();
    expect(decision.trace.metrics[0]?.fault?.message).toBe(
      "unable to get metric rps: no metrics returned from custom metrics API",
    );
  });
});

describe("metrics of several clusters (design 4, D-09)", () => {
  it("a cluster that fails one metric is out whole: its replicas and pods do not count", () => {
    const decision = decide({
      metrics: [CPU_50, podsMetric(1000)],
      template: 4,
      clusters: {
        a: { pods: times(2, ready(90, 1000)), unreadable: { metric: 1 } },
        b: { pods: times(2, ready(60, 1000)) },
      },
    });
    expect(decision.trace.calibration).toBe(0.5);
    expect(decision.trace.metrics[0]?.current?.averageUtilization).toBe(60);
    expect(decision.trace.clusters.map(({ cluster, gap }) => [cluster, gap?.code])).toEqual([
      ["a", "metric-unreadable"],
      ["b", undefined],
    ]);
  });

  it("a metric that every cluster fails is the metric's fault: the clusters stay, the others go on", () => {
    const decision = decide({
      metrics: [CPU_50, podsMetric(1000)],
      clusters: {
        a: { pods: times(2, ready(90)), unreadable: { metric: 1 } },
        b: { pods: times(2, ready(90)), unreadable: { metric: 1 } },
      },
    });
    expect(decision.scale?.to).toBe(8);
    expect(decision.trace.clusters.every(({ gap }) => gap === undefined)).toBe(true);
    expect(decision.failure?.reason).toBe("FailedGetPodsMetric");
  });

  it("C03: listing pods fails in A after its scale answered: A is out, B's 120 % of 80 % need 9", () => {
    const decision = decide({
      metrics: [{ ...CPU_50, target: { type: "Utilization", averageUtilization: 80 } } as MetricSpec],
      clusters: {
        a: { pods: times(3, ready(120)), unreadable: { pods: true } },
        b: { pods: times(3, ready(120)) },
      },
    });
    expect(decision.trace.limits?.proposed).toBe(9);
  });
});

describe("template 0 (D-06)", () => {
  it("min ≠ 0: 0 means off, whatever the members still run", () => {
    const decision = decide({ template: 0, clusters: { a: { pods: times(2, ready(90)) } } });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/ScalingDisabled");
    expect(decision).toMatchObject({ currentReplicas: 0, desiredReplicas: 0, trace: { gate: "disabled" } });
    expect(decision.failure).toBeUndefined();
  });

  it("off also where the scheduler left no cluster in the binding", () => {
    const fault = { code: "clusters-none", message: "binding has no schedulable clusters" } as const;
    const snapshot = { ...snapshotOf({ template: 0, clusters: {} }), binding: { ok: false, fault } as const };
    const decision = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
    expect(condition(decision, "ScalingActive")).toBe("False/ScalingDisabled");
  });

  it("… but a target without a policy is told so at 0 too", () => {
    const fault = { code: "binding-label-missing", message: "target resource has no label" } as const;
    const snapshot = { ...snapshotOf({ template: 0, clusters: {} }), binding: { ok: false, fault } as const };
    const decision = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
    expect(condition(decision, "AbleToScale")).toBe("False/FailedGetBinding");
  });

  it("min 0: CPU has no say and is no failure, the External metric raises it", () => {
    const decision = decide({
      min: 0,
      template: 0,
      metrics: [CPU_50, external],
      values: { 1: value(25_000) },
      clusters: {},
    });
    expect(decision.scale?.to).toBe(3);
    expect(decision.trace.metrics[0]?.skipped).toBeDefined();
    expect(decision.failure).toBeUndefined();
  });

  it("min 0, duplicated over two clusters: ceil(95 ÷ 10 ÷ 2) = 5, because each copy brings two pods", () => {
    const clusters = { a: { replicas: 0 }, b: { replicas: 0 } };
    const values = { 0: value(95_000) };
    const decision = decide({ min: 0, template: 0, duplicated: true, metrics: [external], values, clusters });
    expect(decision.trace.limits?.proposed).toBe(5);
  });

  it("min 0: no load keeps it at 0", () => {
    const decision = decide({
      min: 0,
      template: 0,
      metrics: [external],
      values: { 0: value(0) },
      clusters: {},
    });
    expect(decision).toMatchObject({ currentReplicas: 0, desiredReplicas: 0 });
    expect(condition(decision, "ScalingActive")).toBe("True/ValidMetricFound");
  });

  it("min 0 with metrics of pods alone could never come back: off", () => {
    const decision = decide({ min: 0, template: 0, clusters: {} });
    expect(condition(decision, "ScalingActive")).toBe("False/ScalingDisabled");
  });

  it("min 0 where the policy refuses it: off", () => {
    const fleet = { min: 0, template: 0, metrics: [external], values: { 0: value(25_000) }, clusters: {} };
    expect(condition(decide(fleet, EMPTY_HISTORY, { allowMinZero: false }), "ScalingActive")).toBe(
      "False/ScalingDisabled",
    );
  });
});
