import { beforeEach, describe, expect, it } from "vitest";
import { isBesideSlots } from "#app/reconcile/beside-slots";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { NEW_FLEET } from "#domain/work/shards";
import type { Item } from "#ports/table";
import { encodeShardMode, newState } from "#wire/state";
import type { ObjectMessage } from "#wire/work";
import { SLOT_MS, tutorialWorld, type World } from "./world.ts";

const SHARD = "n/default";
/** 60 s of visibility are four slots. */
const VISIBILITY_SLOTS = 4;
const ISOLATED_SLOTS = (5 * 60_000) / SLOT_MS;

describe("an invocation died on a shard of many objects (storm seed 228)", () => {
  let world: World;
  let beforeTheCrash: Item | undefined;

  const beat = () => world.table.items().find(({ sk }) => sk === `beat#${SHARD}`);

  beforeEach(async () => {
    world = tutorialWorld();
    for (let i = 0; i < 40; i++) {
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "none" };
      world.create(`other-${i}`, { minReplicas: 1, maxReplicas: 2, scaleTargetRef });
    }
    await world.slots(2);
    expect(world.state()?.beatShard).toBe(SHARD);
    beforeTheCrash = beat();
    world.interrupt = (call) => {
      if (call === "table.getMany") throw new Error("killed");
    };
    await world.slot();
    world.interrupt = () => {};
    await world.slots(VISIBILITY_SLOTS);
    expect(beat()).toHaveProperty("isolateUntilMs");
  });

  async function resultOf(more: Partial<ObjectMessage> = {}): Promise<unknown> {
    world.clock.advance(1_000);
    const object = { namespace: "default", name: "nginx" };
    const dueAtMs = world.clock.nowMs();
    const message: ObjectMessage = { v: 1, kind: "object", hub: "local", object, dueAtMs, afterCrash: true };
    world.log.length = 0;
    const work = openReconcile(world.deps, [message], new AbortController().signal);
    await work({ ...message, ...more }, { messageId: "m", receiveCount: 1, sentAtMs: dueAtMs });
    return world.log.find(({ message: text }) => text === "decision")?.fields.result;
  }

  it("an old read of the heartbeat does not end the isolation of its objects: a slot of all was then worked beside theirs", async () => {
    const { getMany } = world.table;
    Object.assign(world.table, {
      getMany: async (...args: Parameters<typeof getMany>) =>
        (await getMany(...args)).map((item) => (item?.sk === beforeTheCrash?.sk ? beforeTheCrash : item)),
    });
    const isolated = beat();
    await world.slot();
    expect(beat()).toEqual(isolated);
    expect(world.log.some(({ message }) => message.startsWith("heartbeat not written"))).toBe(true);
  });

  it("an object's own message is worked while its shard's slots are sent on one by one", async () => {
    expect(await resultOf()).toBe("unchanged");
    expect(world.state()?.lastInstantMs).toBe(world.clock.nowMs());
  });

  it.each([
    ["before the end", -1, false],
    ["at the end", 0, true],
  ])(
    "a slot %s of the isolation, worked after it, is one of all: %i ms, %j (storm seed 16)",
    async (_case, ms, expected) => {
      const { isolateUntilMs } = beat() as Item & { readonly isolateUntilMs: number };
      world.clock.advance(isolateUntilMs - world.clock.nowMs() + 500);
      const id = { hub: "local", namespace: "default", name: "nginx" };
      const state = { ...newState("u-1"), beatShard: SHARD };
      const isBeside = isBesideSlots(
        world.deps,
        id,
        state,
        { lastMs: 0, isolateUntilMs },
        isolateUntilMs + ms,
      );
      expect(await isBeside).toBe(expected);
    },
  );

  describe("and the isolation is over", () => {
    beforeEach(async () => {
      await world.slots(ISOLATED_SLOTS);
      expect(beat()).not.toHaveProperty("isolateUntilMs");
      expect(world.state()?.beatShard).toBe(SHARD);
    });

    it("an object's own message that comes late is left to the next slot, which may be worked now", async () => {
      const before = world.state();
      expect(await resultOf()).toBe("elsewhere");
      expect(world.state()).toEqual(before);
    });

    it("one that a person sends again is worked where the object is in quarantine: slots leave it alone", async () => {
      const item = world.table.items().find(({ pk, sk }) => sk === "state" && pk.endsWith("default/nginx"));
      const quarantine = { generation: 1, untilMs: world.clock.nowMs() + 3_600_000 };
      await world.table.put({ ...(item as Item), quarantine }, { if: "none" });
      expect(await resultOf()).toBe("quarantined");
      expect(await resultOf({ redriven: true })).toBe("unchanged");
    });

    it("one of an object that has left the shard is worked: no slot of that shard is for it", async () => {
      await world.table.put(encodeShardMode("local", NEW_FLEET), { if: "none" });
      expect(await resultOf()).toBe("unchanged");
    });
  });
});
