import { beforeEach, describe, expect, it } from "vitest";
import { PortFault } from "#ports/fault";
import { tutorialWorld, type World } from "./world.ts";

describe("D-20: status conflicts", () => {
  let world: World;
  beforeEach(() => {
    world = tutorialWorld();
  });

  it("another writer of the same generation: read again and patched, so that no field of ours is lost", async () => {
    let conflicts = 0;
    world.interrupt = (call, when) => {
      if (call !== "hub.mergePatch" || when !== "before" || conflicts > 0) return;
      conflicts += 1;
      world.writeStatusAs("kubectl");
    };
    await world.slot();
    expect(conflicts).toBe(1);
    expect(world.condition("AbleToScale")).toMatchObject({ status: "True" });
  });

  it("a new generation: dropped, since the status speaks of a spec that is gone; the next slot writes its own", async () => {
    let edited = false;
    world.interrupt = (call, when) => {
      if (call !== "hub.mergePatch" || when !== "before" || edited) return;
      edited = true;
      world.editMaxReplicas(9);
    };
    await world.slot();
    expect(world.condition("AbleToScale")).toBeUndefined();
    await world.slot();
    expect(world.condition("AbleToScale")).toMatchObject({ status: "True" });
  });

  it("three conflicts in a row are given up for this slot", async () => {
    let tries = 0;
    world.interrupt = (call, when) => {
      if (call !== "hub.mergePatch" || when !== "before") return;
      tries += 1;
      throw new PortFault("conflict", "planted");
    };
    await world.slot();
    expect(tries).toBeGreaterThanOrEqual(3);
    world.interrupt = () => {};
    await world.slot();
    expect(world.condition("AbleToScale")).toMatchObject({ status: "True" });
  });
});
