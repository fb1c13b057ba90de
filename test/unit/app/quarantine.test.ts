import { beforeAll, describe, expect, it } from "vitest";
import { tutorialWorld, type World } from "./world.ts";

/** 60 s of visibility are four slots. */
const VISIBILITY_SLOTS = 4;

describe("an object that crashes its evaluation (design 1, Crashes)", () => {
  let world: World;
  const decisions = () =>
    world.log.filter(({ message }) => message === "decision").map(({ fields }) => fields.result);

  beforeAll(async () => {
    world = tutorialWorld();
    await world.slots(2);
    // As a poisoned object would: whatever evaluates it dies.
    world.interrupt = (call, when) => {
      if (call === "hub.list" && when === "before") throw new Error("out of memory");
    };
    await world.slots(3 * VISIBILITY_SLOTS + 1);
    world.interrupt = () => {};
  });

  it("is first isolated: its shard's message becomes one message for each object", () => {
    const isolated = world.log.filter(({ message }) => message.includes("one by one"));
    expect(isolated).toHaveLength(1);
  });

  it("at the third crash is left alone, with a condition and an Event that say so", () => {
    expect(world.condition("ScalingActive")).toMatchObject({ status: "False", reason: "Quarantined" });
    expect(world.events("Quarantined")).toHaveLength(1);
  });

  it("is parked with its body, cause and count", () => {
    const parked = world.table.items().filter(({ pk }) => pk === "parked#local");
    expect(parked).toHaveLength(1);
    expect(parked[0]).toMatchObject({
      queue: "reconcile",
      receiveCount: 3,
      cause: "evaluating default/nginx crashed 3 times in a row",
    });
    expect(JSON.parse(String(parked[0]?.body))).toMatchObject({ kind: "object", object: { name: "nginx" } });
  });

  it("is not evaluated while its spec stays, and again when it changes", async () => {
    await world.slots(2);
    expect(decisions().slice(-2)).toEqual(["quarantined", "quarantined"]);
    world.editMaxReplicas(8);
    await world.slot();
    expect(decisions().at(-1)).not.toBe("quarantined");
    expect(world.condition("ScalingActive")).toMatchObject({ status: "True", reason: "ValidMetricFound" });
  });
});
