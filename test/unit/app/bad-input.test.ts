import { describe, expect, it } from "vitest";
import { throwSwitch } from "#sim/hub/faults";
import { tutorialWorld, type World } from "./world.ts";

const target = { apiVersion: "apps/v1", kind: "Deployment", name: "nginx" };
const cpu = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 10 } },
};

const regarding = (world: World, reason: string) =>
  world.events(reason).map((event) => (event.involvedObject as { name: string }).name);

describe("bad input ends as a condition and an Event on its object; the others go on; nothing is scaled for it", () => {
  it.each<[string, object, string, string, RegExp]>([
    [
      "min above max (B40), on a hub without webhooks",
      { scaleTargetRef: { ...target, name: "ghost" }, minReplicas: 15, maxReplicas: 10, metrics: [cpu] },
      "ScalingActive",
      "InvalidSpec",
      /spec\.minReplicas|spec\.maxReplicas/,
    ],
    [
      "a target that does not exist",
      { scaleTargetRef: { ...target, name: "ghost" }, maxReplicas: 10, metrics: [cpu] },
      "AbleToScale",
      "FailedGetScaleTargetRef",
      /deployments\.apps "ghost" not found/,
    ],
    [
      "a kind that the hub does not know",
      {
        scaleTargetRef: { apiVersion: "example.io/v1", kind: "Sprocket", name: "a" },
        maxReplicas: 10,
        metrics: [cpu],
      },
      "AbleToScale",
      "FailedGetScale",
      /Sprocket/,
    ],
    [
      "an apiVersion that is none",
      { scaleTargetRef: { ...target, apiVersion: "a/b/c" }, maxReplicas: 10, metrics: [cpu] },
      "AbleToScale",
      "FailedGetScale",
      /a\/b\/c/,
    ],
  ])("%s", async (_case, spec, type, reason, message) => {
    const world = tutorialWorld({ webhooks: false });
    world.create("broken", spec);
    await world.slots(6);
    expect(world.condition(type, "broken")).toMatchObject({
      status: "False",
      reason,
      message: expect.stringMatching(message),
    });
    expect(regarding(world, reason)).toContain("broken");
    expect(world.scales().map(({ from, to }) => [from, to])).toEqual([
      [1, 5],
      [5, 10],
    ]);
  });

  it("a cluster that does not answer is a named gap: scale-out goes on from the other", async () => {
    const world = tutorialWorld({ loadSeconds: 240 });
    await world.slots(6);
    expect(world.replicas()).toBe(10);
    throwSwitch(world.fleet.hub, "member2", { kind: "cut-off" }, world.clock.nowMs());
    world.editMaxReplicas(30);
    await world.slot();
    expect(world.replicas()).toBe(20);
    const [cluster] = world.log
      .filter(({ message }) => message === "decision")
      .slice(-1)
      .map(({ fields }) => fields.clusters);
    expect(cluster).toEqual({ member1: 5, member2: null });
  });

  it("and scale-in is held while it does not answer (B55)", async () => {
    const world = tutorialWorld();
    await world.slots(6);
    throwSwitch(world.fleet.hub, "member2", { kind: "cut-off" }, world.clock.nowMs());
    await world.slots(10);
    expect(world.replicas()).toBe(10);
    throwSwitch(world.fleet.hub, "member2", { kind: "reconnect" }, world.clock.nowMs());
    await world.slots(8);
    expect(world.replicas()).toBe(1);
  });
});
