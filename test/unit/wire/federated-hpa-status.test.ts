import { describe, expect, it } from "vitest";
import type { Condition, FederatedHpaStatus, MetricStatus } from "#domain/spec/federated-hpa";
import { federatedHpa } from "#test/unit/spec/federated-hpa-objects";
import { decodeFederatedHpa, isNumbersOnly, statusPatch } from "#wire/federated-hpa";
import { encodeStatus } from "#wire/federated-hpa-status";

const AT_MS = 1_772_352_000_000;
const ABLE: Condition = {
  type: "AbleToScale",
  status: "True",
  reason: "ReadyForNewScale",
  message: "recommended size matches current size",
  lastTransitionMs: AT_MS,
};
const CPU: MetricStatus = {
  type: "Resource",
  name: "cpu",
  current: { averageUtilization: 57, averageValue: 14 },
};
const STATUS: FederatedHpaStatus = {
  currentReplicas: 3,
  desiredReplicas: 3,
  observedGeneration: 2,
  conditions: [ABLE],
  currentMetrics: [CPU],
};

const decodeStatus = (status: unknown) => decodeFederatedHpa(federatedHpa({}, {}, { status })).status;

describe("a status in the API's form (autoscaling/v2)", () => {
  it("cuts instants to whole seconds and writes quantities canonically", () => {
    const status: FederatedHpaStatus = {
      ...STATUS,
      lastScaleAtMs: AT_MS + 999,
      currentMetrics: [
        CPU,
        { type: "ContainerResource", name: "memory", container: "app", current: { averageValue: 2n ** 70n } },
        { type: "Pods", name: "rps", selector: "verb=GET", current: { averageValue: 1_500 } },
        {
          type: "Object",
          name: "hits",
          selector: "a=b,c in (d,e),!f",
          describedObject: { apiVersion: "v1", kind: "Service", name: "front" },
          current: { value: 2_000_000 },
        },
        { type: "External", name: "queue", current: { value: 0 } },
      ],
    };
    expect(encodeStatus(status)).toEqual({
      observedGeneration: 2,
      lastScaleTime: "2026-03-01T08:00:00Z",
      currentReplicas: 3,
      desiredReplicas: 3,
      conditions: [
        {
          type: "AbleToScale",
          status: "True",
          lastTransitionTime: "2026-03-01T08:00:00Z",
          reason: "ReadyForNewScale",
          message: "recommended size matches current size",
        },
      ],
      currentMetrics: [
        {
          type: "Resource",
          resource: { name: "cpu", current: { averageUtilization: 57, averageValue: "14m" } },
        },
        {
          type: "ContainerResource",
          containerResource: {
            name: "memory",
            container: "app",
            current: { averageValue: "1180591620717411303424m" },
          },
        },
        {
          type: "Pods",
          pods: {
            metric: { name: "rps", selector: { matchLabels: { verb: "GET" } } },
            current: { averageValue: "1500m" },
          },
        },
        {
          type: "Object",
          object: {
            metric: {
              name: "hits",
              selector: {
                matchLabels: { a: "b" },
                matchExpressions: [
                  { key: "c", operator: "In", values: ["d", "e"] },
                  { key: "f", operator: "DoesNotExist" },
                ],
              },
            },
            describedObject: { apiVersion: "v1", kind: "Service", name: "front" },
            current: { value: "2k" },
          },
        },
        { type: "External", external: { metric: { name: "queue" }, current: { value: "0" } } },
      ],
    });
  });

  it("B100: what the API cannot hold is cut or left out, and never costs the whole write", () => {
    const current = { averageUtilization: 3e9, averageValue: Number.NaN, value: 1.5 };
    const status = {
      ...STATUS,
      currentReplicas: Number.POSITIVE_INFINITY,
      desiredReplicas: Number.NaN,
      currentMetrics: [{ ...CPU, current }],
    };
    expect(encodeStatus(status)).toMatchObject({
      currentReplicas: 2_147_483_647,
      desiredReplicas: 0,
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 2_147_483_647 } } },
      ],
    });
  });

  it.each([
    ["B107: null", null],
    ["B107: an entry without a type, as Karmada leaves of a failed metric", [{ type: "" }]],
    [
      "an entry without the source of its type",
      [{ type: "Resource", pods: { metric: { name: "a" }, current: {} } }],
    ],
    [
      "an entry whose source is not that of its type",
      [{ type: "Bogus", object: { metric: { name: "a" }, describedObject: {}, current: {} } }],
    ],
    ["no list", "none"],
  ])("currentMetrics are always well formed, whatever was there: %s", (_, currentMetrics) => {
    expect(decodeStatus({ desiredReplicas: 1, currentMetrics }).currentMetrics).toEqual([]);
  });

  it.each([
    ["no type", { status: "True", lastTransitionTime: "2026-03-01T08:00:00Z" }],
    ["no instant", { type: "AbleToScale", status: "True" }],
    ["no known status", { type: "AbleToScale", status: "Maybe", lastTransitionTime: "2026-03-01T08:00:00Z" }],
  ])("a condition with %s is left out", (_, condition) => {
    expect(decodeStatus({ conditions: [condition] }).conditions).toEqual([]);
  });
});

describe("the patch of a status", () => {
  it("is undefined when nothing changed", () => {
    expect(
      statusPatch(STATUS, { ...STATUS, conditions: [{ ...ABLE, lastTransitionMs: AT_MS + 500 }] }),
    ).toBeUndefined();
  });

  it("holds what changed, lists as a whole", () => {
    const limited = { ...ABLE, type: "ScalingLimited", lastTransitionMs: AT_MS + 1000 } as const;
    const after = { ...STATUS, currentReplicas: 4, conditions: [ABLE, limited] };
    const { conditions, currentMetrics } = encodeStatus(after);
    expect(statusPatch(STATUS, after)).toEqual({
      status: { currentReplicas: 4, conditions, currentMetrics, desiredReplicas: 3 },
    });
    expect(conditions).toHaveLength(2);
  });

  it("removes by null", () => {
    const { observedGeneration: _, ...after } = STATUS;
    expect(statusPatch({ ...STATUS, lastScaleAtMs: AT_MS }, after)?.status).toMatchObject({
      observedGeneration: null,
      lastScaleTime: null,
    });
  });

  it("always holds desiredReplicas, which the CRD requires, also as 0 on an object without a status", () => {
    const fresh = decodeStatus(undefined);
    expect(statusPatch(fresh, { ...fresh, conditions: [ABLE] })?.status).toMatchObject({
      desiredReplicas: 0,
      currentMetrics: [],
    });
  });
});

describe("a change of nothing but currentMetrics' numbers", () => {
  const withCpu = (current: MetricStatus["current"]) => ({
    ...STATUS,
    currentMetrics: [{ ...CPU, current }],
  });
  it.each([
    ["other numbers", withCpu({ averageUtilization: 1, averageValue: 2 }), true],
    ["nothing", STATUS, false],
    ["another kind of number", withCpu({ averageUtilization: 1 }), false],
    ["another metric", { ...STATUS, currentMetrics: [{ ...CPU, name: "memory" }] }, false],
    ["one metric less", { ...STATUS, currentMetrics: [] }, false],
    [
      "numbers and a count",
      { ...withCpu({ averageUtilization: 1, averageValue: 2 }), currentReplicas: 9 },
      false,
    ],
    ["a condition", { ...STATUS, conditions: [] }, false],
  ])("%s: %s", (_, after, only) => {
    expect(isNumbersOnly(STATUS, after)).toBe(only);
  });
});
