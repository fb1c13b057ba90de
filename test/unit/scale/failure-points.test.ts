import { describe, expect, it } from "vitest";
import type { ReadFaultCode, Snapshot } from "#domain/fleet/snapshot";
import { concludeScale } from "#domain/scale/conclude";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import {
  condition,
  decide,
  NOW_MS,
  podWith,
  ready,
  remembered,
  snapshotOf,
  times,
  unmeasured,
} from "#test/unit/scale/fleet";

const healthy = snapshotOf({
  clusters: { a: { pods: times(2, ready(90)) } },
  status: {
    currentReplicas: 9,
    desiredReplicas: 8,
    currentMetrics: [{ type: "Pods", name: "x", current: { averageValue: 1 } }],
  },
});

describe("what fails before the metrics (semantics 4.1, points 1 to 6)", () => {
  const NO_SCALE = "the HPA controller was unable to get the target's current scale: boom";
  const NO_TARGET = "the HPA controller was unable to get the target reference object: boom";
  const NO_BINDING = "the HPA controller was unable to get the binding by scaleTargetRef: boom";
  const NO_CLUSTERS = "the HPA controller was unable to get the target clusters from binding: boom";
  it.each<[string, "target" | "binding", ReadFaultCode, string, string, string, string]>([
    [
      "1",
      "target",
      "target-version-invalid",
      "FailedGetScale",
      "FailedGetScale",
      NO_SCALE,
      "invalid API version in scale target reference: boom",
    ],
    [
      "2",
      "target",
      "target-missing",
      "FailedGetScaleTargetRef",
      "FailedGetScaleTargetRef",
      NO_TARGET,
      "failed to get scale target reference: boom",
    ],
    [
      "2",
      "target",
      "target-unreadable",
      "FailedGetScaleTargetRef",
      "FailedGetScaleTargetRef",
      NO_TARGET,
      "failed to get scale target reference: boom",
    ],
    ["3", "binding", "binding-label-missing", "FailedGetBindings", "FailedGetBinding", NO_BINDING, "boom"],
    ["3", "binding", "binding-missing", "FailedGetBindings", "FailedGetBinding", NO_BINDING, "boom"],
    ["3", "binding", "binding-unreadable", "FailedGetBindings", "FailedGetBinding", NO_BINDING, "boom"],
    [
      "4",
      "binding",
      "clusters-none",
      "FailedGetTargetClusters",
      "FailedGetTargetClusters",
      NO_CLUSTERS,
      "boom",
    ],
    [
      "4",
      "binding",
      "clusters-unreadable",
      "FailedGetTargetClusters",
      "FailedGetTargetClusters",
      NO_CLUSTERS,
      "boom",
    ],
    [
      "5",
      "target",
      "target-kind-unknown",
      "FailedGetScale",
      "FailedGetScale",
      NO_SCALE,
      "unable to determine resource for scale target reference: boom",
    ],
  ])("point %s, %s %s", (_, part, code, event, reason, message, error) => {
    const snapshot: Snapshot = { ...healthy, [part]: { ok: false, fault: { code, message: "boom" } } };
    const decision = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
    expect(decision.events).toEqual([{ type: "Warning", reason: event, message: "boom" }]);
    expect(decision.status.conditions).toEqual([
      { type: "AbleToScale", status: "False", reason, message, lastTransitionMs: NOW_MS },
    ]);
    expect(decision.failure).toEqual({ reason, message: error });
    expect(decision.scale).toBeUndefined();
    expect(decision.recommended).toBe(false);
    expect(decision.history).toEqual(EMPTY_HISTORY);
    expect(decision.status).toMatchObject({
      currentReplicas: 9,
      desiredReplicas: 8,
      currentMetrics: healthy.object.status.currentMetrics,
    });
  });

  it.each([Number.NaN, -1, 1.5, 3e9])(
    "replicas of %d are no count, so the target was not read",
    (replicas) => {
      const target = healthy.target.ok ? { ...healthy.target.value, replicas } : undefined;
      const snapshot = { ...healthy, target: { ok: true, value: target } } as Snapshot;
      const decision = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
      expect(condition(decision, "AbleToScale")).toBe("False/FailedGetScaleTargetRef");
    },
  );

  it("a selector that cannot be parsed stops all, as in Karmada", () => {
    const decision = decide({
      clusters: {
        a: { selector: "app in web", pods: times(2, ready(90)) },
        b: { pods: times(2, ready(90)) },
      },
    });
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSelector");
    expect(decision.events.map(({ reason }) => reason)).toEqual([
      "InvalidSelector",
      "FailedComputeMetricsReplicas",
    ]);
    expect(decision.scale).toBeUndefined();
  });

  it("a binding that was not even asked for is named too", () => {
    const { binding: _unasked, ...rest } = healthy;
    expect(condition(decideScale(rest, EMPTY_HISTORY, DEFAULT_POLICY), "AbleToScale")).toBe(
      "False/FailedGetBinding",
    );
  });
});

describe("an invalid spec (D-16)", () => {
  it("what was found on read is said, and nothing else is looked at", () => {
    const invalid = [
      { code: "x", path: "spec.metrics[0].resource.target", detail: "must set averageUtilization" },
    ];
    const decision = decide({ clusters: { a: { pods: times(2, ready(90)) } }, invalid });
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSpec");
    expect(decision.failure?.message).toBe("spec.metrics[0].resource.target: must set averageUtilization");
    expect(decision.scale).toBeUndefined();
  });

  it.each([
    ["B40: a cron rule set min 15 over max 10", 10],
    ["C09: at 15 it does not turn back to 10 either", 15],
  ])("%s: no write", (_, template) => {
    const decision = decide({
      min: 15,
      max: 10,
      template,
      clusters: { a: { pods: times(template, ready(50)) } },
    });
    expect(decision.scale).toBeUndefined();
    expect(condition(decision, "ScalingActive")).toBe("False/InvalidSpec");
  });
});

it.each([
  ["min", { min: Number.NaN, max: 5 }],
  ["max", { min: 1, max: 2.5 }],
])("a %s that is no count is a fault of the spec", (_, bounds) => {
  const decision = decide({ ...bounds, clusters: { a: { pods: times(2, ready(90)) } } });
  expect(condition(decision, "ScalingActive")).toBe("False/InvalidSpec");
});

it("min equal to max is a sound spec", () => {
  const decision = decide({ min: 3, max: 3, clusters: { a: { pods: times(3, ready(90)) } } });
  expect(condition(decision, "ScalingLimited")).toBe("True/TooManyReplicas");
  expect(decision.desiredReplicas).toBe(3);
});

describe("gates before the metrics (semantics 4.1)", () => {
  const last = [{ type: "Pods", name: "x", current: { averageValue: 1 } }] as const;
  it.each([
    ["above max", 12, 10, "Current number of replicas above Spec.MaxReplicas", "above-max"],
    ["below min", 1, 2, "Current number of replicas below Spec.MinReplicas", "below-min"],
  ])("%s", (_, template, to, reason, gate) => {
    const decision = decide({
      min: 2,
      max: 10,
      template,
      clusters: { a: { pods: times(template, ready(90)) } },
      status: { currentMetrics: last },
    });
    expect(decision.scale).toEqual({ from: template, to, reason });
    expect(decision.trace).toMatchObject({ gate, metrics: [] });
    expect(decision.recommended).toBe(false);
    // B107, D-15: no metric was asked, so the last ones stand.
    expect(decision.status.currentMetrics).toEqual(last);
  });
});

describe("what follows from the write (semantics 4.1, points 10 and 11)", () => {
  const decision = decideScale(healthy, EMPTY_HISTORY, DEFAULT_POLICY);

  it("before it the status still has the former desired count", () => {
    expect(decision.scale).toEqual({
      from: 2,
      to: 4,
      reason: "cpu resource utilization (percentage of request) above target",
    });
    expect(decision.status).toMatchObject({ currentReplicas: 2, desiredReplicas: 8, observedGeneration: 7 });
    expect(condition(decision, "AbleToScale")).toBe("True/ReadyForNewScale");
  });

  it("written: SucceededRescale, SuccessfulRescale, lastScaleTime, one scale event", () => {
    const { status, events, history } = concludeScale(decision, { ok: true });
    expect(status).toMatchObject({ currentReplicas: 2, desiredReplicas: 4, lastScaleAtMs: NOW_MS });
    expect(status.conditions[0]).toEqual({
      type: "AbleToScale",
      status: "True",
      reason: "SucceededRescale",
      message: "the HPA controller was able to update the target scale to 4",
      lastTransitionMs: NOW_MS,
    });
    expect(events).toEqual([
      {
        type: "Normal",
        reason: "SuccessfulRescale",
        message: "New size: 4; reason: cpu resource utilization (percentage of request) above target",
      },
    ]);
    expect(history.scaleUpEvents).toEqual([{ change: 2, atMs: NOW_MS }]);
  });

  it("refused: FailedUpdateScale, FailedRescale, and no budget is used up", () => {
    const { status, events, history } = concludeScale(decision, { ok: false, message: "409 conflict" });
    expect(status).toMatchObject({ currentReplicas: 2, desiredReplicas: 8 });
    expect(status.lastScaleAtMs).toBeUndefined();
    expect(status.conditions[0]).toMatchObject({
      status: "False",
      reason: "FailedUpdateScale",
      message: "the HPA controller was unable to update the target scale: 409 conflict",
    });
    expect(events.map(({ type, reason, message }) => [type, reason, message])).toEqual([
      [
        "Warning",
        "FailedRescale",
        "New size: 4; reason: cpu resource utilization (percentage of request) above target; error: 409 conflict",
      ],
    ]);
    expect(history).toEqual(decision.history);
  });

  it("without a scale the decision stands", () => {
    const steady = decide({ clusters: { a: { pods: [ready(50)] } } });
    expect(concludeScale(steady, { ok: true })).toEqual({
      status: steady.status,
      events: steady.events,
      history: steady.history,
    });
  });
});

describe("status (semantics 4.12)", () => {
  it("a condition keeps its transition time until its status changes", () => {
    const former = [
      { type: "AbleToScale", status: "True", reason: "SucceededRescale", message: "", lastTransitionMs: 5 },
      {
        type: "ScalingActive",
        status: "False",
        reason: "FailedGetResourceMetric",
        message: "",
        lastTransitionMs: 6,
      },
    ] as const;
    const decision = decide({ clusters: { a: { pods: [ready(50)] } }, status: { conditions: former } });
    expect(
      decision.status.conditions.map(({ type, reason, lastTransitionMs }) => [
        type,
        reason,
        lastTransitionMs,
      ]),
    ).toEqual([
      ["AbleToScale", "ReadyForNewScale", 5],
      ["ScalingActive", "ValidMetricFound", NOW_MS],
      ["ScalingLimited", "DesiredWithinRange", NOW_MS],
    ]);
  });

  it("B110: the record says what was proposed, what limited it and what came of it", () => {
    const decision = decide({ max: 8, clusters: { a: { pods: times(6, ready(80)) } } });
    expect(decision.trace.limits).toEqual({
      proposed: 10,
      stabilized: 10,
      final: 8,
      able: "ReadyForNewScale",
      limited: "TooManyReplicas",
      scaleUpLimit: 12,
    });
    expect(decision.trace.metrics[0]).toMatchObject({
      proposal: 10,
      usageRatio: 1.6,
      withinTolerance: false,
    });
    expect(decision.held?.reason).toBe("TooManyReplicas");
  });

  it("B110: … and per cluster what runs there, and how its pods were grouped", () => {
    const pods = [ready(60), podWith({ phase: "Pending" }), unmeasured(), podWith({ deleted: true })];
    const decision = decide({
      clusters: { a: { pods, statusReplicas: 3 }, b: { pods: [...pods, ready(60)] } },
    });
    const groups = { unready: 1, missing: 1, ignored: 1 };
    expect(decision.trace.clusters).toEqual([
      { cluster: "a", specReplicas: 4, statusReplicas: 3, pods: { total: 4, ready: 1, ...groups } },
      { cluster: "b", specReplicas: 5, statusReplicas: 5, pods: { total: 5, ready: 2, ...groups } },
    ]);
    expect(decision.trace.metrics[0]?.pods).toEqual({ ready: 3, unready: 2, missing: 2, ignored: 2 });
  });

  it("#78712: a count that only the windows move has a reason too", () => {
    const decision = decide({ clusters: { a: { pods: times(4, ready(50)) } } }, remembered([6, 60]));
    expect(decision.scale).toEqual({ from: 4, to: 6, reason: "recent recommendations above current size" });
  });
});
