import { describe, expect, it } from "vitest";
import { tutorialWorld } from "./world.ts";

describe("D-08, B53: the scheduler finds no room for the new count, so the members stay behind", () => {
  it("calibration does not run away: the template holds with the reason, and falling load still scales in", async () => {
    // Room for 3 pods of 25m in each of two clusters: 5 fit, 10 do not.
    const world = tutorialWorld({ byRoom: "75m", loadSeconds: 300 });
    world.editMaxReplicas(100);
    await world.slots(6);
    expect(world.replicas()).toBe(10);
    const placed = () =>
      [...world.fleet.members.values()].reduce(
        (sum, member) => sum + member.store.count({ group: "", resource: "pods" }),
        0,
      );
    await world.slots(8);
    expect(placed()).toBeLessThan(10);
    expect(world.replicas()).toBe(10);
    expect(world.condition("BindingCaughtUp")).toMatchObject({ status: "False", reason: "NotScheduled" });
    await world.slots(14);
    expect(world.replicas()).toBe(1);
    expect(world.condition("BindingCaughtUp")).toMatchObject({ status: "True" });
  });
});
