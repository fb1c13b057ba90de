import { beforeEach, describe, expect, it } from "vitest";
import { tutorialWorld, type World } from "./world.ts";

const decisions = (world: World) =>
  world.log.filter(({ message }) => message === "decision").map(({ fields }) => fields.result);
const steps = (world: World) => world.scales().map(({ from, to }) => [from, to]);

describe("observe and active (design 4, Modes)", () => {
  it.each<
    [string, { mode: "observe" | "active"; activeNamespaces?: string[]; annotation?: string }, boolean]
  >([
    ["a hub in observe writes nothing", { mode: "observe" }, false],
    ["an active hub scales", { mode: "active" }, true],
    [
      "a listed namespace is active on a hub in observe",
      { mode: "observe", activeNamespaces: ["default"] },
      true,
    ],
    ["another listed namespace changes nothing", { mode: "observe", activeNamespaces: ["shop"] }, false],
    ["the object's annotation decides before both", { mode: "active", annotation: "observe" }, false],
    ["and makes one object active", { mode: "observe", annotation: "active" }, true],
    ["an annotation that is neither means observe", { mode: "active", annotation: "aktiv" }, false],
  ])("%s", async (_case, { annotation, ...options }, scales) => {
    const world = tutorialWorld(options);
    if (annotation) world.annotate({ "mainsheet.io/mode": annotation });
    await world.slots(6);
    expect(steps(world).length > 0).toBe(scales);
    expect(world.replicas()).toBe(scales ? 10 : 1);
  });
});

describe("another autoscaler on the same object (design 4, Modes)", () => {
  let world: World;
  beforeEach(async () => {
    world = tutorialWorld({ loadSeconds: 240 });
    await world.slots(4);
  });

  it("Karmada's own controller wrote the status: one Event that names it and says what to do, nothing else written", async () => {
    world.writeStatusAs("karmada-controller-manager");
    await world.slot();
    expect(decisions(world).at(-1)).toBe("yielded");
    expect(world.replicas()).toBe(1);
    world.writeStatusAs("karmada-controller-manager");
    await world.slot();
    const [event, ...others] = world.events("AnotherAutoscaler");
    expect(others).toEqual([]);
    expect(event?.message).toMatch(
      /karmada-controller-manager wrote the status.*-federatedHorizontalPodAutoscaler/,
    );
    expect(steps(world)).toEqual([]);
  });

  it("two periods after its last write we go on", async () => {
    world.writeStatusAs("karmada-controller-manager");
    await world.slots(2);
    expect(decisions(world).slice(-2)).toEqual(["yielded", "scaled"]);
  });

  it("our own status writes are not another's", async () => {
    await world.slots(3);
    expect(decisions(world)).not.toContain("yielded");
  });
});

describe("foreign writes of the replicas (design 4, Modes)", () => {
  it("three within ten minutes set ScaleConflict with the names; ten quiet minutes clear it; scaling goes on", async () => {
    const world = tutorialWorld({ loadSeconds: 60 });
    await world.slots(2);
    for (const replicas of [2, 3, 2]) {
      world.scaleByHand(replicas);
      await world.slot();
    }
    expect(world.condition("ScaleConflict")).toMatchObject({
      status: "True",
      reason: "ForeignScale",
      message: expect.stringMatching(/^kubectl wrote the target's replicas 3 times within 10 minutes/),
    });
    await world.slots(41);
    expect(world.condition("ScaleConflict")).toMatchObject({ status: "False" });
    expect(world.replicas()).toBe(1);
  });

  it("our own scales are none", async () => {
    const world = tutorialWorld();
    await world.slots(20);
    expect(world.scales()).toHaveLength(3);
    expect(world.condition("ScaleConflict")).toBeUndefined();
  });
});

describe("two FederatedHPAs over the same pods (B27, systems C8)", () => {
  const metrics = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 10 } } },
  ];

  it("on one Deployment: both stop with AmbiguousSelector, and the one left goes on when the other is deleted", async () => {
    const world = tutorialWorld({ loadSeconds: 240 });
    world.create("second", {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" },
      maxReplicas: 5,
      metrics,
    });
    await world.slots(5);
    for (const name of ["nginx", "second"]) {
      expect(world.condition("ScalingActive", name)).toMatchObject({
        status: "False",
        reason: "AmbiguousSelector",
      });
    }
    expect(steps(world)).toEqual([]);
    world.remove("second");
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
  });

  it("on two Deployments whose selectors match the same pods: both stop", async () => {
    const world = tutorialWorld({ loadSeconds: 240 });
    world.createDeployment("canary", { app: "nginx" });
    world.create("canary", {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "canary" },
      maxReplicas: 5,
      metrics,
    });
    await world.slots(5);
    expect(world.condition("ScalingActive")).toMatchObject({ status: "False", reason: "AmbiguousSelector" });
    expect(steps(world)).toEqual([]);
  });
});
