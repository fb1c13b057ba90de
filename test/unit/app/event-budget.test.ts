import { beforeEach, describe, expect, it } from "vitest";
import { type EventWorld, eventWorld, requested } from "./event-world.ts";
import { tutorialWorld, type World } from "./world.ts";

const NGINX = { namespace: "default", name: "nginx" };

/** The tutorial from its load's start on: at its slots it goes 1 → 5 (four pods in 15 s), 5 → 10. */
describe("an event close to a slot never doubles a budget (semantics 4.12)", () => {
  let world: World;
  let bus: EventWorld;
  beforeEach(async () => {
    world = tutorialWorld({ loadSeconds: 120 });
    bus = eventWorld(world);
    await world.slots(5);
    expect(world.scales()).toMatchObject([{ from: 1, to: 5 }]);
  });

  it.each([1_000, 3_000, 7_000, 14_997])("%i ms after it, the four pods of 15 s are used up", async (ms) => {
    await bus.pass(ms);
    await bus.put(requested({ ...NGINX }));
    expect(world.scales()).toHaveLength(1);
    expect(world.log.findLast(({ message }) => message === "decision")?.fields).toMatchObject({
      from: 5,
      to: 5,
    });
    // The slot after it has its own four again, as without the event.
    await bus.pass(14_999 - ms);
    world.clock.set(world.clock.nowMs() + 1 - 15_000);
    await world.slot();
    expect(world.scales()).toMatchObject([
      { from: 1, to: 5 },
      { from: 5, to: 10 },
    ]);
  });

  it("what an event scaled is in the budget of the slot behind it", async () => {
    await bus.pass(14_000);
    const scaled = tutorialWorld({ loadSeconds: 120 });
    const events = eventWorld(scaled);
    await scaled.slots(4);
    await events.pass(12_000);
    scaled.fleet.step(scaled.clock.nowMs());
    await events.put(requested({ ...NGINX }));
    const before = scaled.scales().length;
    scaled.clock.set(scaled.clock.nowMs() + 3_000 - 15_000);
    await scaled.slot();
    const changes = scaled.scales().map(({ from, to }) => to - from);
    expect(changes.reduce((sum, change) => sum + change, 0)).toBeLessThanOrEqual(4);
    expect(scaled.scales().length).toBeGreaterThanOrEqual(Math.max(1, before));
  });

  it("its recommendation is on record at its own instant", async () => {
    await bus.pass(4_321);
    await bus.put(requested({ ...NGINX }));
    const instantMs = world.clock.nowMs() + 1;
    expect(world.state()).toMatchObject({ lastInstantMs: instantMs, beatShard: "o/default/nginx" });
    expect(world.state()?.history.recommendations.at(-1)?.lastMs).toBe(instantMs);
  });

  it("and the slot behind it writes no state if it says the same: the heartbeat goes on", async () => {
    await world.slots(30);
    await bus.pass(5_000);
    await bus.put(requested({ ...NGINX }));
    const { version } = world.state() ?? {};
    world.clock.set(world.clock.nowMs() + 10_000 - 15_000);
    await world.slot();
    expect(world.state()?.version).toBe(version);
  });
});
