import { beforeAll, describe, expect, it } from "vitest";
import { openReconcile } from "#app/reconcile/open-reconcile";
import type { EventMessage, ObjectMessage } from "#wire/work";
import { tutorialWorld, type World } from "./world.ts";

const NGINX = { namespace: "default", name: "nginx" };
type Of = (shard: string) => EventMessage | ObjectMessage;

const FORMER = "o/default/nginx";
const PRESENT = "n/default";

describe("a message for one object after its fleet outgrew a shard for each", () => {
  let world: World;

  beforeAll(async () => {
    world = tutorialWorld();
    await world.slots(2);
    expect(world.state()?.beatShard).toBe(FORMER);
    for (let i = 0; i < 40; i++) {
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "none" };
      world.create(`other-${i}`, { minReplicas: 1, maxReplicas: 2, scaleTargetRef });
    }
    await world.slots(1);
    expect(world.state()?.beatShard).toBe(PRESENT);
  });

  const event = (shard: string): EventMessage => ({
    ...{ v: 1, kind: "event", hub: "local", object: NGINX, shard, eventId: shard },
  });
  const cronRun = (shard: string): ObjectMessage => ({
    ...{ v: 1, kind: "object", hub: "local", object: NGINX, shard, afterCrash: false },
    dueAtMs: world.clock.nowMs() + 1,
  });

  async function resultOf(of: Of, shard: string): Promise<unknown> {
    world.clock.advance(1_000);
    const message = of(shard);
    world.log.length = 0;
    const work = openReconcile(world.deps, [message], new AbortController().signal);
    await work(message, { messageId: "m", receiveCount: 1, sentAtMs: world.clock.nowMs() });
    return world.log.find(({ message: text }) => text === "decision")?.fields.result;
  }

  it.each<[string, Of]>([
    ["an event's (storm seeds 198, 969)", event],
    ["a cron run's", cronRun],
  ])(
    "%s in the group of the former shard is left to the next slot, which may be worked now",
    async (_, of) => {
      const before = world.state();
      expect(await resultOf(of, FORMER)).toBe("elsewhere");
      expect(world.state()).toEqual(before);
    },
  );

  it.each<[string, Of]>([
    ["an event's", event],
    ["a cron run's", cronRun],
  ])("%s in the group of the present one is worked at once", async (_, of) => {
    expect(await resultOf(of, PRESENT)).toBe("unchanged");
    expect(world.state()?.lastInstantMs).toBe(world.clock.nowMs() + 1);
  });
});
