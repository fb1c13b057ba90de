import { beforeEach, describe, expect, it } from "vitest";
import { openBreakers } from "#app/reconcile/breakers";
import { PortFault } from "#ports/fault";
import { throwSwitch } from "#sim/hub/faults";
import { tutorialWorld, type World } from "./world.ts";

const SLOT = 15_000;

describe("a cluster that fails twice gets a breaker (design 1, Read less)", () => {
  let world: World;
  let slotMs: number;
  beforeEach(() => {
    world = tutorialWorld();
    slotMs = world.clock.nowMs();
  });

  /** One invocation that asks a cluster, if it may, and hears this. */
  async function invocation(answered: boolean): Promise<"asked" | "skipped"> {
    const breakers = openBreakers(world.deps, "local", slotMs);
    if (await breakers.skips("member2")) return "skipped";
    breakers.note("member2", answered);
    await breakers.store();
    return "asked";
  }
  const nextSlot = () => {
    slotMs += SLOT;
    world.clock.advance(SLOT);
  };

  it("after two failures one invocation in each slot asks it, the others skip", async () => {
    expect([await invocation(false), await invocation(false)]).toEqual(["asked", "asked"]);
    nextSlot();
    expect([await invocation(false), await invocation(false), await invocation(false)]).toEqual([
      "asked",
      "skipped",
      "skipped",
    ]);
    nextSlot();
    expect([await invocation(false), await invocation(false)]).toEqual(["asked", "skipped"]);
  });

  it("one failure opens nothing, and an answer forgets it", async () => {
    await invocation(false);
    await invocation(true);
    await invocation(false);
    nextSlot();
    expect([await invocation(true), await invocation(true)]).toEqual(["asked", "asked"]);
  });

  it("closes with the first answer", async () => {
    await invocation(false);
    await invocation(false);
    nextSlot();
    expect(await invocation(true)).toBe("asked");
    expect([await invocation(true), await invocation(true)]).toEqual(["asked", "asked"]);
  });

  it("the first word of an invocation counts", async () => {
    const breakers = openBreakers(world.deps, "local", slotMs);
    breakers.note("member2", true);
    breakers.note("member2", false);
    await breakers.store();
    expect(world.table.items().filter(({ sk }) => sk.startsWith("breaker#"))).toEqual([]);
  });

  it("a table that does not answer leaves the cluster to be asked", async () => {
    await invocation(false);
    await invocation(false);
    nextSlot();
    await invocation(false);
    world.interrupt = (call, when) => {
      if (call === "table.query" && when === "before") throw new PortFault("unavailable", "planted");
    };
    expect(await invocation(false)).toBe("asked");
  });

  it("in the flow: a cluster that is cut off is a named gap in every slot, and is read again in the slot after it is back", async () => {
    const flow = tutorialWorld({ loadSeconds: 600 });
    await flow.slots(6);
    const clusters = () => flow.log.filter(({ message }) => message === "decision").at(-1)?.fields.clusters;
    throwSwitch(flow.fleet.hub, "member2", { kind: "cut-off" }, flow.clock.nowMs());
    for (let slot = 0; slot < 6; slot++) {
      await flow.slot();
      expect(clusters()).toMatchObject({ member1: 5, member2: null });
    }
    throwSwitch(flow.fleet.hub, "member2", { kind: "reconnect" }, flow.clock.nowMs());
    await flow.slots(6);
    expect(clusters()).toMatchObject({ member1: 5, member2: 5 });
    expect(flow.table.items().filter(({ sk }) => sk.startsWith("breaker#"))).toEqual([]);
  });
});
