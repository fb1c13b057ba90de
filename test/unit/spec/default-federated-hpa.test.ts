import { describe, expect, it } from "vitest";
import { defaultFederatedHpa } from "#domain/spec/default-federated-hpa";
import { cpu, federatedHpa, rules } from "#test/unit/spec/federated-hpa-objects";

const UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const DOWN = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

function defaulted(spec: Record<string, unknown>): Record<string, unknown> {
  const result = defaultFederatedHpa(federatedHpa(spec));
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.object.spec as Record<string, unknown>;
}

describe("Karmada's defaulting webhook (semantics 4.3, D:76-138)", () => {
  it.each([
    ["min is 1", { minReplicas: undefined }, { minReplicas: 1 }],
    ["a min of 0 stays", { minReplicas: 0 }, { minReplicas: 0 }],
    [
      "no metrics mean cpu at 80 %",
      { metrics: undefined },
      { metrics: [cpu({ type: "Utilization", averageUtilization: 80 })] },
    ],
    [
      "… and so does an empty list",
      { metrics: [] },
      { metrics: [cpu({ type: "Utilization", averageUtilization: 80 })] },
    ],
    ["no behavior stays none", {}, { behavior: undefined }],
    [
      "an empty behavior is filled on both sides",
      { behavior: {} },
      { behavior: { scaleUp: UP, scaleDown: DOWN } },
    ],
    [
      "what is set stays, the other side is filled (B38: no window on the way down)",
      { behavior: { scaleUp: rules({ selectPolicy: "Min" }) } },
      { behavior: { scaleUp: { ...UP, ...rules(), selectPolicy: "Min" }, scaleDown: DOWN } },
    ],
    [
      "an empty list of policies is not filled, and leaves no field",
      { behavior: { scaleDown: { policies: [] } } },
      { behavior: { scaleUp: UP, scaleDown: { selectPolicy: "Max" } } },
    ],
    [
      "D-17: the tolerance is kept",
      { behavior: { scaleDown: rules({ tolerance: "0.05" }) } },
      { behavior: { scaleUp: UP, scaleDown: { ...DOWN, ...rules(), tolerance: "50m" } } },
    ],
    [
      "quantities become canonical, unknown fields go",
      { metrics: [cpu({ type: "AverageValue", averageValue: "1024Mi", percent: 5 })], replicas: 3 },
      { metrics: [cpu({ type: "AverageValue", averageValue: "1Gi" })], replicas: undefined },
    ],
  ])("%s", (_, spec, expected) => {
    const result = defaulted(spec as Record<string, unknown>);
    for (const [field, value] of Object.entries(expected)) expect(result[field]).toEqual(value);
  });

  it("leaves metadata and status alone, and its input unchanged", () => {
    const raw = Object.freeze(
      federatedHpa({ behavior: Object.freeze({}) }, { labels: { a: "b" } }, { status: { x: 1 } }),
    );
    const before = structuredClone(raw);
    const result = defaultFederatedHpa(raw);
    expect(result).toMatchObject({ ok: true, object: { metadata: raw.metadata, status: { x: 1 } } });
    expect(raw).toEqual(before);
  });

  it("is the same when done twice", () => {
    const once = defaulted({ behavior: {}, metrics: [], minReplicas: undefined });
    expect(defaulted(once)).toEqual(once);
  });

  it("refuses what it cannot decode", () => {
    const result = defaultFederatedHpa(federatedHpa({ maxReplicas: "ten" }));
    expect(result.ok ? [] : result.faults.map(({ path }) => path)).toEqual(["spec.maxReplicas"]);
  });
});
