import { describe, expect, it } from "vitest";
import { bindsTarget, decodeBinding, decodeReportedReplicas } from "#wire/kubernetes/binding";

type Json = Record<string, unknown>;

function binding(spec: Json = {}, status: Json = {}): Json {
  return { metadata: { name: "web-deployment", namespace: "shop", generation: 4 }, spec, status };
}

describe("a ResourceBinding", () => {
  it("comes with what was asked, placed and seen", () => {
    const raw = binding(
      {
        replicas: 5,
        clusters: [{ name: "member2", replicas: 2 }, { name: "member1" }],
        placement: { replicaScheduling: { replicaSchedulingType: "Divided" } },
      },
      {
        schedulerObservedGeneration: 3,
        conditions: [
          { type: "FullyApplied", status: "False" },
          { type: "Scheduled", status: "True" },
        ],
      },
    );
    expect(decodeBinding(raw)).toEqual({
      ok: true,
      value: {
        name: "web-deployment",
        replicas: 5,
        generation: 4,
        schedulerObservedGeneration: 3,
        scheduled: "True",
        clusters: [{ name: "member2", replicas: 2 }, { name: "member1" }],
        duplicated: false,
      },
    });
  });

  it("with replicas that Karmada moves away from clusters says when it began (O1)", () => {
    const tasks = [
      { fromCluster: "member1", creationTimestamp: "2026-03-02T09:00:00Z" },
      { fromCluster: "member2" },
    ];
    expect(decodeBinding(binding({ gracefulEvictionTasks: tasks }))).toMatchObject({
      ok: true,
      value: { evictions: [Date.UTC(2026, 2, 2, 9)] },
    });
  });

  it("before the scheduler's first pass what it would say is absent", () => {
    expect(decodeBinding(binding())).toEqual({
      ok: true,
      value: { name: "web-deployment", generation: 4, clusters: [], duplicated: true },
    });
  });

  it.each([
    ["no placement", undefined, true],
    ["no replicaScheduling", {}, true],
    ["Duplicated", { replicaScheduling: { replicaSchedulingType: "Duplicated" } }, true],
    ["no type, which the CRD defaults", { replicaScheduling: {} }, false],
    ["Divided", { replicaScheduling: { replicaSchedulingType: "Divided" } }, false],
  ])("duplicated or divided (Karmada ReplicaSchedulingType): %s", (_, placement, duplicated) => {
    expect(decodeBinding(binding({ placement }))).toMatchObject({ ok: true, value: { duplicated } });
  });

  it.each([
    ["a cluster without a name", binding({ clusters: [{ replicas: 1 }] }), "spec.clusters[].name"],
    [
      "a count that is none",
      binding({ replicas: -1 }),
      "spec.replicas: found -1 where a count from 0 to 2147483647",
    ],
    ["conditions that are no list", binding({}, { conditions: {} }), "status.conditions"],
    ["no name", {}, "metadata.name"],
  ])("%s makes it unreadable", (_, raw, part) => {
    expect(decodeBinding(raw)).toMatchObject({
      ok: false,
      fault: { code: "binding-unreadable", message: expect.stringContaining(part) },
    });
  });
});

describe("the binding of a template (C02, D-05)", () => {
  const template = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop" },
  };
  const resource = { apiVersion: "apps/v1", kind: "Deployment", name: "web", namespace: "shop" };
  it.each([
    ["the same object", resource, true],
    ["the same name in another namespace", { ...resource, namespace: "test" }, false],
    ["another kind", { ...resource, kind: "StatefulSet" }, false],
    ["another version", { ...resource, apiVersion: "apps/v2" }, false],
    ["another name", { ...resource, name: "api" }, false],
    ["nothing", undefined, false],
  ])("%s: %s", (_, bound, binds) => {
    expect(bindsTarget(binding({ resource: bound }), template, "shop")).toBe(binds);
  });

  it("two objects without a name are not each other's", () => {
    expect(bindsTarget({ spec: { resource: { namespace: "shop" } } }, {}, "shop")).toBe(false);
  });
});

describe("what members report (D-10)", () => {
  it("is by cluster, and 0 is a report", () => {
    const aggregatedStatus = [
      { clusterName: "member1", status: { replicas: 0 } },
      { clusterName: "member2", status: { readyReplicas: 1 } },
      { clusterName: "member3" },
      { clusterName: "member4", status: { replicas: 3 } },
    ];
    expect([...decodeReportedReplicas(binding({}, { aggregatedStatus }))]).toEqual([
      ["member1", 0],
      ["member4", 3],
    ]);
  });
});
