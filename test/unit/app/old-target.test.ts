import { describe, expect, it } from "vitest";
import { openReconcile } from "#app/reconcile/open-reconcile";
import type { ObjectMessage } from "#wire/work";
import { tutorialWorld, type World } from "./world.ts";

const ABOVE_MAX = { from: 5, to: 3 };

/** A world whose target is above its maximum, and an invocation that has read it so and holds a message for it. */
async function readAboveMax() {
  const world = tutorialWorld({ loadSeconds: 240 });
  world.create("other", {
    minReplicas: 1,
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" },
  });
  while (world.replicas() !== ABOVE_MAX.from) await world.slot();
  world.editMaxReplicas(ABOVE_MAX.to);
  const messageOf = (name: string): ObjectMessage => ({
    ...{ v: 1, kind: "object", hub: "local", afterCrash: false },
    dueAtMs: world.clock.nowMs() + 15_001,
    object: { namespace: "default", name },
  });
  const [first, second] = [messageOf("other"), messageOf("nginx")];
  const work = openReconcile(world.deps, [first, second], new AbortController().signal);
  await work(first, { messageId: "first", receiveCount: 1 });
  return { world, late: () => work(second, { messageId: "second", receiveCount: 1 }) };
}

const stepsFrom = (world: World, count: number) =>
  world.scales().flatMap(({ from, to }) => (from === count ? [{ from, to }] : []));

describe("an invocation that read a target before another one scaled it", () => {
  it("reads it again, since it knows of that scale: it announces none of its own for it (storm seed 33)", async () => {
    const { world, late } = await readAboveMax();
    await world.slot();
    expect(stepsFrom(world, ABOVE_MAX.from)).toEqual([ABOVE_MAX]);
    world.interrupt = (call) => {
      if (call === "hub.updateScale") throw new Error("the invocation dies here");
    };
    await late();
    world.interrupt = () => {};
    await world.slots(4);
    expect(stepsFrom(world, ABOVE_MAX.from)).toEqual([ABOVE_MAX]);
    expect(world.events("SuccessfulRescale").map(({ message }) => message)).toHaveLength(
      world.scales().length,
    );
  });

  it("takes what a fresh read says of a hub that was restored from a backup, and reads twice for it only once", async () => {
    const { world } = await readAboveMax();
    await world.slot();
    const [item] = world.table
      .items()
      .filter((one): one is typeof one & { scaled: object } => one.sk === "state" && "scaled" in one);
    if (item === undefined) throw new Error("no scale is on record");
    await world.table.put({ ...item, scaled: { ...item.scaled, generation: 99 } }, { if: "none" });
    let lists = 0;
    world.interrupt = (call, when) => {
      if (call === "hub.list" && when === "before") lists += 1;
    };
    const listsOfSlot = async () => {
      lists = 0;
      await world.slot();
      return lists;
    };
    const [first, second] = [await listsOfSlot(), await listsOfSlot()];
    expect(first).toBeGreaterThan(second);
    expect(world.state()?.scaled?.generation).not.toBe(99);
  });
});
