import { expect, it } from "vitest";
import { openReconcile } from "#app/reconcile/open-reconcile";
import type { EventMessage } from "#wire/work";
import { tutorialWorld } from "./world.ts";

it("events that waited for minutes are all heard by one evaluation, since it came after them (storm seed 172)", async () => {
  const world = tutorialWorld();
  await world.slots(2);
  const sentMs = [1_000, 2_000, 3_000, 150_000].map((ms) => world.clock.nowMs() + ms);
  const messages = sentMs.map((_, i): EventMessage => {
    const object = { namespace: "default", name: "nginx" };
    return { v: 1, kind: "event", hub: "local", shard: "o/default/nginx", object, eventId: `event-${i}` };
  });
  world.clock.advance(180_000);
  world.log.length = 0;
  let reads = 0;
  const readsOf: number[] = [];
  world.interrupt = (call, when) => {
    if (call.startsWith("hub.") && when === "before") reads += 1;
  };
  const work = openReconcile(world.deps, messages, new AbortController().signal);
  for (const [i, message] of messages.entries()) {
    reads = 0;
    await work(message, { messageId: `m-${i}`, receiveCount: 1, sentAtMs: sentMs[i] as number });
    readsOf.push(reads);
  }
  const results = world.log
    .filter(({ message }) => message === "decision")
    .map(({ fields }) => fields.result);
  expect(results).toEqual(["unchanged", "stale", "stale", "stale"]);
  expect(readsOf[0]).toBeGreaterThan(0);
  expect(readsOf.slice(1)).toEqual([0, 0, 0]);
  expect(world.state()?.lastInstantMs).toBe(world.clock.nowMs() + 1);
});
