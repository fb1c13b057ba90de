import { describe, expect, it } from "vitest";
import { KINDS } from "#sim/kinds";
import {
  DUPLICATED,
  deploymentDocument,
  policyDocument,
  scenarioDocument,
  smallFleet,
} from "./small-fleet.ts";

const POLICY_ID = "propagationpolicy.karmada.io/permanent-id";
const CLUSTER_POLICY_ID = "clusterpropagationpolicy.karmada.io/permanent-id";
const policy = ["policy.karmada.io/v1alpha1", "PropagationPolicy"] as const;
const only = (cluster: string) => ({ clusterAffinity: { clusterNames: [cluster] }, ...DUPLICATED });

function clusterPolicy(placement: object, name = "default") {
  return { ...policyDocument(placement, {}, name), kind: "ClusterPropagationPolicy" };
}

describe("policies and bindings", () => {
  it("the policy's permanent id is on policy, template and binding", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2), policyDocument(DUPLICATED)]);
    const stored = world.fleet.hub.store.get(KINDS.policies, "default", "everywhere");
    const id = stored?.metadata.labels?.[POLICY_ID];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const annotations = {
      "propagationpolicy.karmada.io/name": "everywhere",
      "propagationpolicy.karmada.io/namespace": "default",
    };
    for (const object of [world.template("web"), world.binding("web")]) {
      expect(object?.metadata).toMatchObject({ labels: { [POLICY_ID]: id }, annotations });
    }
  });

  it("a ClusterPropagationPolicy has a label of its own", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2), clusterPolicy(DUPLICATED)]);
    expect(world.template("web")?.metadata.labels).toHaveProperty([CLUSTER_POLICY_ID]);
    expect(world.template("web")?.metadata.labels).not.toHaveProperty([POLICY_ID]);
    expect(world.binding("web")?.metadata.labels).toHaveProperty([CLUSTER_POLICY_ID]);
  });

  it.each<[string, object[], string]>([
    [
      "a PropagationPolicy goes before a ClusterPropagationPolicy",
      [clusterPolicy(only("member1"), "a"), policyDocument(only("member2"), {}, "z")],
      "member2: 2",
    ],
    [
      "the higher priority goes first",
      [policyDocument(only("member1"), {}, "a"), policyDocument(only("member2"), { priority: 1 }, "z")],
      "member2: 2",
    ],
    [
      "a name goes before labels, labels before the kind alone",
      [
        policyDocument(only("member1"), {}, "a"),
        policyDocument(
          only("member1"),
          {
            resourceSelectors: [
              { apiVersion: "apps/v1", kind: "Deployment", labelSelector: { matchLabels: { app: "web" } } },
            ],
          },
          "b",
        ),
        policyDocument(
          only("member2"),
          { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }] },
          "z",
        ),
      ],
      "member2: 2",
    ],
    [
      "among equals the first name",
      [policyDocument(only("member2"), {}, "b"), policyDocument(only("member1"), {}, "a")],
      "member1: 2",
    ],
  ])("%s", (_what, policies, shares) => {
    const world = smallFleet([scenarioDocument(), ...policies, deploymentDocument(2)]);
    expect(world.shares("web")).toBe(shares);
  });

  it("a claimed template keeps its policy when a better one comes", () => {
    const world = smallFleet([
      scenarioDocument({
        timeline: [
          {
            afterSeconds: 10,
            do: "apply",
            manifest: {
              ...policyDocument(only("member2"), { priority: 9 }, "late"),
              metadata: { name: "late", namespace: "default" },
            },
          },
        ],
      }),
      deploymentDocument(2),
      policyDocument(only("member1")),
    ]);
    world.runTo(20);
    expect(world.shares("web")).toBe("member1: 2");
    world.remove(...policy, "everywhere");
    expect(world.shares("web")).toBe("member2: 2");
  });

  it("without a policy a template has no binding, and loses its label with the last one", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2)]);
    expect(world.binding("web")).toBeUndefined();
    const other = smallFleet([scenarioDocument(), deploymentDocument(2), policyDocument(DUPLICATED)]);
    other.remove(...policy, "everywhere");
    expect(other.template("web")?.metadata.labels).toEqual({ app: "web" });
    expect(other.binding("web")?.metadata.labels).not.toHaveProperty([POLICY_ID]);
  });

  it("a deleted template takes its binding and its members' objects with it", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2), policyDocument(DUPLICATED)]);
    world.remove("apps/v1", "Deployment", "web");
    world.runTo(40);
    expect(world.binding("web")).toBeUndefined();
    expect(world.pods("member1")).toEqual([]);
    expect(world.fleet.members.get("member1")?.store.list(KINDS.replicaSets)).toEqual([]);
  });

  it("what the members say is summed up in binding and template, which moves its version but no generation", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2), policyDocument(DUPLICATED)]);
    expect(world.template("web")?.status).toMatchObject({
      replicas: 4,
      readyReplicas: 4,
      observedGeneration: 1,
    });
    const before = world.template("web")?.metadata;
    world.scale("web", 3);
    const scaled = world.template("web")?.metadata;
    world.runTo(10);
    const after = world.template("web")?.metadata;
    expect(world.template("web")?.status).toMatchObject({
      replicas: 6,
      readyReplicas: 6,
      observedGeneration: 2,
    });
    expect([before?.generation, scaled?.generation, after?.generation]).toEqual([1, 2, 2]);
    expect(Number(after?.resourceVersion)).toBeGreaterThan(Number(scaled?.resourceVersion));
    expect(world.binding("web")?.status).toMatchObject({
      aggregatedStatus: [
        { clusterName: "member1", applied: true, health: "Healthy", status: { readyReplicas: 3 } },
        { clusterName: "member2", applied: true, health: "Healthy", status: { readyReplicas: 3 } },
      ],
    });
  });

  it("a replica count that somebody changes in a member comes back, unless the template says retain (semantics 4.11)", () => {
    const world = smallFleet([scenarioDocument(), deploymentDocument(2), policyDocument(DUPLICATED)]);
    const member = world.fleet.members.get("member1");
    const type = member?.catalogue.findKind("apps/v1", "Deployment");
    const count = () => member?.store.get(KINDS.deployments, "default", "web")?.spec?.replicas;
    const change = (replicas: number) => {
      if (type === undefined) return;
      const body = { spec: { replicas } };
      member?.patchScale(
        type,
        { namespace: "default", name: "web" },
        { type: "merge", body },
        { nowMs: world.scenario.startMs },
      );
      world.runTo(1);
    };
    change(7);
    expect(count()).toBe(2);
    world.patch("apps/v1", "Deployment", "web", {
      metadata: { labels: { "resourcetemplate.karmada.io/retain-replicas": "true" } },
    });
    change(7);
    expect(count()).toBe(7);
  });
});
