import { describe, expect, it } from "vitest";
import { openRouteMemory } from "#app/route/memory";
import { openRoute } from "#app/route/open-route";
import { parseRouteMessage } from "#wire/work";
import { eventWorld, requested } from "./event-world.ts";
import { tutorialWorld } from "./world.ts";

const NGINX = { namespace: "default", name: "nginx" };

describe("an environment of route whose clock is behind", () => {
  it.each([0, 1_000, 2_000, 2_900, 12_000])(
    "by %i ms: an event after the end of the floor is heard, though it was told of the floor before (storm seed 1334)",
    async (behindMs) => {
      const world = tutorialWorld();
      await world.slots(2);
      const bus = eventWorld(world);
      await bus.pass(4_000);
      const clock = { nowMs: () => world.clock.nowMs() - behindMs };
      const behind = { ...world.deps, clock, memory: openRouteMemory(clock), hubs: ["local"] };
      const route = async (id: string) => {
        const message = parseRouteMessage(JSON.stringify(requested({ id, ...NGINX })));
        if (!message.ok) throw new Error(message.fault);
        await openRoute(behind)(message.value, { receiveCount: 1 });
      };
      await bus.put(requested({ id: "first", ...NGINX }));
      await bus.pass(500);
      await bus.put(requested({ id: "second", ...NGINX }));
      await bus.pass(500);
      await route("third");
      await bus.pass(3_000);
      await route("fourth");
      const fourthMs = world.clock.nowMs();
      await bus.put();
      await bus.pass(10_000);
      expect(world.state()?.lastInstantMs).toBeGreaterThan(fourthMs);
    },
  );
});
