import { beforeEach, describe, expect, it } from "vitest";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { PortFault } from "#ports/fault";
import type { ObjectMessage } from "#wire/work";
import { SLOT_MS, tutorialWorld, type World } from "./world.ts";

/** The load is over, and the object has been left alone since: as after a crash that held its message up. */
const LEFT_ALONE_MS = 12 * SLOT_MS + 4_000;

describe("an object's message of a slot that a crash has held up (storm seed 199)", () => {
  let world: World;
  let lastMs: number;

  beforeEach(async () => {
    world = tutorialWorld();
    await world.slots(2);
    lastMs = world.clock.nowMs();
    world.clock.advance(LEFT_ALONE_MS);
    world.fleet.step(world.clock.nowMs());
    world.log.length = 0;
  });

  async function work(slotsAfterTheLast: number): Promise<void> {
    const object = { namespace: "default", name: "nginx" };
    const dueAtMs = lastMs + slotsAfterTheLast * SLOT_MS;
    const message: ObjectMessage = { v: 1, kind: "object", hub: "local", object, dueAtMs, afterCrash: true };
    const delivery = { messageId: "m", receiveCount: 1, sentAtMs: dueAtMs };
    await openReconcile(world.deps, [message], new AbortController().signal)(message, delivery);
  }

  const slotsAfterTheLast = (ms: number) => (ms - lastMs) / SLOT_MS;

  it.each([
    ["minutes late: of the newest slot that has begun", 1, 12],
    ["a period and a little late: of the newest too", 11, 12],
    ["no more than a period late: of its own", 12, 12],
  ])("is an evaluation, %s", async (_case, due, evaluated) => {
    await work(due);
    expect(slotsAfterTheLast(world.state()?.lastInstantMs ?? 0)).toBe(evaluated);
  });

  it("what it recommends was seen now, and a window knows it as long", async () => {
    await work(1);
    const seen = world.state()?.history.recommendations.map((run) => slotsAfterTheLast(run.lastMs));
    expect(Math.max(...(seen ?? []))).toBe(12);
  });

  it("a cluster that it cannot read is lost from now on, so that its hold lasts as long as it should", async () => {
    world.interrupt = (call) => {
      if (call.startsWith("member.")) throw new PortFault("unavailable", "no answer");
    };
    await work(1);
    const since = Object.values(world.state()?.history.lostSinceMs ?? {}).map(slotsAfterTheLast);
    expect(since).toEqual([12]);
  });

  it("its decision's line has the instant of its record, and when it was due", async () => {
    await work(1);
    const line = world.log.find(({ message }) => message === "decision");
    expect(line?.fields).toMatchObject({ atMs: lastMs + 12 * SLOT_MS, dueAtMs: lastMs + SLOT_MS });
  });

  it("those of the slots behind it have nothing left to do", async () => {
    await work(1);
    world.log.length = 0;
    await work(2);
    await work(12);
    const results = world.log
      .filter(({ message }) => message === "decision")
      .map(({ fields }) => fields.result);
    expect(results).toEqual(["stale", "stale"]);
  });

  it("is nothing where a later slot was evaluated, though a newer one has begun", async () => {
    const before = world.state();
    await work(0);
    expect(world.state()).toEqual(before);
    expect(world.log.find(({ message }) => message === "decision")?.fields.result).toBe("stale");
  });
});
