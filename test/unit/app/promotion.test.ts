import { describe, expect, it } from "vitest";
import { promotion } from "#app/promote/promotion";
import { decodeFederatedHpa } from "#wire/federated-hpa";

const cpu = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};
const queue = { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } };
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const object = {
  apiVersion: "autoscaling.karmada.io/v1alpha1",
  kind: "FederatedHPA",
  metadata: {
    name: "web",
    namespace: "shop",
    resourceVersion: "7",
    annotations: { "mainsheet.io/shadow": "next", team: "a" },
  },
  spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 10, metrics: [cpu] },
};
const GONE = {
  "mainsheet.io/shadow": null,
  "mainsheet.io/min-replicas": null,
  "mainsheet.io/tolerance": null,
  "mainsheet.io/external-metrics": null,
};

describe("the patch that promotes a shadow spec", () => {
  it("replaces what differs, under the version that was read, and ends the shadow", () => {
    const spec = { scaleTargetRef, minReplicas: 2, maxReplicas: 20, metrics: [cpu] };
    expect(promotion(object, spec)).toEqual({
      metadata: { resourceVersion: "7", annotations: GONE },
      spec: { maxReplicas: 20 },
    });
  });

  it("takes away what the shadow does not say", () => {
    const before = { ...object, spec: { ...object.spec, behavior: { scaleUp: { selectPolicy: "Min" } } } };
    expect(promotion(before, { scaleTargetRef, maxReplicas: 10, metrics: [cpu] })).toMatchObject({
      spec: { behavior: null, minReplicas: null },
    });
  });

  it("what a stock hub refuses or drops goes into annotations that are read as the same (D-17)", () => {
    const behavior = { scaleUp: { tolerance: "0.05", selectPolicy: "Min" }, scaleDown: { tolerance: 0.2 } };
    const spec = {
      scaleTargetRef,
      minReplicas: 0,
      maxReplicas: 10,
      behavior,
      metrics: [cpu, { type: "External", external: queue }],
    };
    const patch = promotion(object, spec);
    expect(patch).toEqual({
      metadata: {
        resourceVersion: "7",
        annotations: {
          "mainsheet.io/shadow": null,
          "mainsheet.io/min-replicas": "0",
          "mainsheet.io/tolerance": "scaleUp=0.05,scaleDown=0.2",
          "mainsheet.io/external-metrics": JSON.stringify([queue]),
        },
      },
      spec: { minReplicas: null, behavior: { scaleUp: { selectPolicy: "Min" }, scaleDown: {} } },
    });
    const { "mainsheet.io/shadow": _gone, ...annotations } = (
      patch.metadata as { annotations: Record<string, string> }
    ).annotations;
    const promoted = decodeFederatedHpa({
      ...object,
      metadata: { ...object.metadata, annotations },
      spec: {
        scaleTargetRef,
        maxReplicas: 10,
        metrics: [cpu],
        behavior: { scaleUp: { selectPolicy: "Min" }, scaleDown: {} },
      },
    });
    const meant = decodeFederatedHpa({ ...object, spec });
    expect(promoted.invalid).toEqual([]);
    expect(promoted.spec).toEqual(meant.spec);
  });
});
