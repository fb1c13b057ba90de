import { describe, expect, it } from "vitest";
import {
  DUPLICATED,
  deploymentDocument,
  policyDocument,
  scenarioDocument,
  smallFleet,
  weighted,
} from "./small-fleet.ts";

const divided = (more: object) => ({ replicaScheduling: { replicaSchedulingType: "Divided", ...more } });
const dynamic = divided({
  replicaDivisionPreference: "Weighted",
  weightPreference: { dynamicWeight: "AvailableReplicas" },
});
const aggregated = divided({ replicaDivisionPreference: "Aggregated" });

function placed(replicas: number, placement: object, spec: object = {}) {
  return smallFleet([scenarioDocument(spec), deploymentDocument(replicas), policyDocument(placement)]);
}

/** Pods of 100m: `free` of them fit. */
const capacities = (free: Readonly<Record<string, number>>) => ({
  clusters: Object.entries(free).map(([name, pods]) => ({
    name,
    capacity: { cpu: `${pods * 100}m`, pods: "110" },
  })),
});

describe("replicas over clusters", () => {
  it.each<[string, number, object, string]>([
    ["Duplicated gives each cluster the full count", 3, DUPLICATED, "member1: 3, member2: 3"],
    ["Divided without a preference weighs all the same", 6, divided({}), "member1: 3, member2: 3"],
    [
      "static 1:1 divides 6 into 3+3 (issue 2)",
      6,
      weighted({ member1: 1, member2: 1 }),
      "member1: 3, member2: 3",
    ],
    [
      "static 1:1 divides 16 into 8+8 (R3)",
      16,
      weighted({ member1: 1, member2: 1 }),
      "member1: 8, member2: 8",
    ],
    ["static 4:1 divides 5 into 4+1 (P1)", 5, weighted({ member1: 4, member2: 1 }), "member1: 4, member2: 1"],
    ["static 1:3 divides 9 into 2+7 (P1)", 9, weighted({ member1: 1, member2: 3 }), "member1: 2, member2: 7"],
    ["a cluster without a weight gets none", 4, weighted({ member2: 1 }), "member2: 4"],
    [
      "an affinity names the clusters",
      4,
      { clusterAffinity: { clusterNames: ["member2"] }, ...divided({}) },
      "member2: 4",
    ],
    ["exclusion wins", 4, { clusterAffinity: { exclude: ["member1"] }, ...divided({}) }, "member2: 4"],
  ])("%s", (_what, replicas, placement, shares) => {
    const world = placed(replicas, placement);
    expect(world.shares("web")).toBe(shares);
  });

  it("labels of clusters choose as well", () => {
    const clusters = [{ name: "member1" }, { name: "member2", labels: { site: "north" } }];
    const placement = {
      clusterAffinity: { labelSelector: { matchLabels: { site: "north" } } },
      ...divided({}),
    };
    expect(placed(4, placement, { clusters }).shares("web")).toBe("member2: 4");
  });

  it("dynamic weights follow the room: 15 over 100:50 is 10+5 (C14)", () => {
    expect(placed(15, dynamic, capacities({ member1: 100, member2: 50 })).shares("web")).toBe(
      "member1: 10, member2: 5",
    );
  });

  it("dynamic: up divides only the difference by what is free now, down by what is placed (semantics 4.8)", () => {
    const world = placed(15, dynamic, capacities({ member1: 100, member2: 50 }));
    world.runTo(10);
    world.scale("web", 30);
    expect(world.shares("web")).toBe("member1: 20, member2: 10");
    world.scale("web", 6);
    expect(world.shares("web")).toBe("member1: 4, member2: 2");
  });

  it("dynamic: more than fits places nothing and says so (semantics 4.8)", () => {
    const world = placed(4, dynamic, capacities({ member1: 3, member2: 3 }));
    const before = world.shares("web");
    world.runTo(10);
    world.scale("web", 7);
    expect(world.shares("web")).toBe(before);
    expect(world.binding("web")?.status).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: "Scheduled", status: "False", reason: "Unschedulable" }),
      ]),
    });
  });

  it("aggregated takes the fewest clusters that fit: 8 of 5/10 is all in the second", () => {
    expect(placed(8, aggregated, capacities({ member1: 5, member2: 10 })).shares("web")).toBe("member2: 8");
  });
});

describe("when the scheduler runs again (semantics 4.9)", () => {
  it("a changed weight divides anew (D3)", () => {
    const world = placed(5, weighted({ member1: 4, member2: 1 }));
    world.patch("policy.karmada.io/v1alpha1", "PropagationPolicy", "everywhere", {
      spec: { placement: weighted({ member1: 1, member2: 4 }) },
    });
    expect(world.shares("web")).toBe("member1: 1, member2: 4");
  });

  it("a cluster that is cut off keeps its share, also when replicas change", () => {
    const world = placed(4, weighted({ member1: 1, member2: 1 }));
    world.fault("member2", { kind: "cut-off" });
    world.runTo(120);
    expect(world.shares("web")).toBe("member1: 2, member2: 2");
    world.scale("web", 8);
    expect(world.shares("web")).toBe("member1: 4, member2: 4");
  });

  it("a reschedule that is triggered divides as if nothing were placed", () => {
    const world = placed(15, dynamic, capacities({ member1: 100, member2: 50 }));
    world.runTo(20);
    world.patch("cluster.karmada.io/v1alpha1", "Cluster", "member1", {
      metadata: { annotations: { "sim.mainsheet.io/capacity": '{"cpu":"1000m","pods":"110"}' } },
    });
    world.runTo(40);
    expect(world.shares("web")).toBe("member1: 10, member2: 5");
    const binding = ["work.karmada.io/v1alpha2", "ResourceBinding", "web-deployment"] as const;
    world.patch(...binding, { spec: { rescheduleTriggeredAt: "2026-03-02T09:00:40Z" } });
    expect(world.shares("web")).toBe("member1: 3, member2: 12");
  });

  it("the binding says what the scheduler has seen", () => {
    const world = placed(4, weighted({ member1: 1, member2: 1 }));
    world.scale("web", 6);
    const binding = world.binding("web");
    expect(binding?.spec).toMatchObject({ replicas: 6, resource: { kind: "Deployment", name: "web" } });
    expect(binding?.status?.schedulerObservedGeneration).toBe(binding?.metadata.generation);
    expect(binding?.status).toMatchObject({
      conditions: expect.arrayContaining([expect.objectContaining({ type: "Scheduled", status: "True" })]),
    });
  });
});
