import { beforeEach, describe, expect, it } from "vitest";
import { PortFault, type PortFaultKind } from "#ports/fault";
import { tutorialWorld, type World } from "./world.ts";

const fail = (kind: PortFaultKind, what = "planted") => {
  throw new PortFault(kind, what);
};

interface Planted {
  readonly times?: number;
  /** Calls of this name that pass first. */
  readonly after?: number;
}

/** Throws at calls of this name. */
function failing(
  world: World,
  name: string,
  when: "before" | "after",
  kind: PortFaultKind,
  { times = 1, after = 0 }: Planted = {},
): void {
  let count = -after;
  world.interrupt = (call, at) => {
    if (call !== name || at !== when) return;
    count += 1;
    if (count > 0 && count <= times) fail(kind);
  };
}

/** The first write of a slot is the sweep's mark. */
const MARK = 1;

const steps = (world: World) => world.scales().map(({ from, to }) => [from, to]);
const results = (world: World) =>
  world.log.filter(({ message }) => message === "decision").map(({ fields }) => fields.result);

describe("one reconcile", () => {
  let world: World;
  beforeEach(async () => {
    world = tutorialWorld({ loadSeconds: 240 });
    await world.slots(4);
  });

  it("B60: a stale resourceVersion is renewed while only the status moved, and the same scale is sent", async () => {
    failing(world, "hub.updateScale", "before", "conflict");
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
    expect(world.events("SuccessfulRescale")).toHaveLength(1);
  });

  it("B60: a hand edit of the replicas before our PUT is read and decided on anew", async () => {
    let edited = false;
    world.interrupt = (call, when) => {
      if (call !== "hub.updateScale" || when !== "before" || edited) return;
      edited = true;
      world.scaleByHand(3);
    };
    await world.slot();
    expect(steps(world)).toEqual([[3, 7]]);
    expect(world.replicas()).toBe(7);
  });

  it("after three conflicts it is this slot's outcome, told on the object, and the next slot scales", async () => {
    failing(world, "hub.updateScale", "before", "conflict", { times: 3 });
    await world.slot();
    expect(results(world).at(-1)).toBe("refused");
    expect(world.condition("AbleToScale")).toMatchObject({ status: "False", reason: "FailedUpdateScale" });
    expect(world.events("FailedRescale")).toHaveLength(1);
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
    expect(world.condition("AbleToScale")).toMatchObject({ status: "True", reason: "SucceededRescale" });
  });

  it.each<[string, "before" | "after"]>([
    ["never reached the hub", "before"],
    ["landed", "after"],
  ])(
    "a PUT without an answer that %s: the next slot finds out, and nothing is doubled",
    async (_case, when) => {
      failing(world, "hub.updateScale", when, "unavailable");
      await world.slot();
      expect(results(world).at(-1)).toBe("unknown");
      await world.slot();
      await world.slot();
      expect(steps(world)).toEqual([
        [1, 5],
        [5, 10],
      ]);
      expect(world.events("SuccessfulRescale")).toHaveLength(2);
    },
  );

  it("a scale that the hub forbids ends as condition and Event; nothing is recorded as scaled", async () => {
    failing(world, "hub.updateScale", "before", "denied");
    await world.slot();
    expect(world.condition("AbleToScale")).toMatchObject({ status: "False", reason: "FailedUpdateScale" });
    expect(world.scales()).toEqual([]);
  });

  it("B98: another run's write of the state makes this one read and decide anew", async () => {
    failing(world, "table.put", "before", "conflict", { after: MARK });
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
  });

  it("a table that refuses the state: nothing is scaled, the object says so once, the next slot goes on", async () => {
    failing(world, "table.put", "before", "throttled", { after: MARK, times: 100 });
    await world.slot();
    expect(results(world).at(-1)).toBe("failed");
    expect(world.replicas()).toBe(1);
    expect(world.condition("AbleToScale")).toMatchObject({ status: "False", reason: "FailedUpdateState" });
    failing(world, "table.put", "before", "throttled", { after: MARK, times: 100 });
    await world.slot();
    expect(world.events("FailedUpdateState")).toHaveLength(1);
    world.interrupt = () => {};
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
    expect(world.condition("AbleToScale")).toMatchObject({ status: "True", reason: "SucceededRescale" });
  });

  it("a table that cannot be read costs this slot, and is no crash: nothing is isolated or parked", async () => {
    failing(world, "table.getMany", "before", "unavailable");
    await world.slot();
    expect(world.log.at(-1)?.message).toBe("not evaluated; the next slot tries again");
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
    expect(world.log.filter(({ message }) => message.includes("one by one"))).toEqual([]);
  });

  it("status and Event that cannot be written do not keep a scale from being recorded", async () => {
    failing(world, "hub.create", "before", "unavailable");
    await world.slot();
    expect(steps(world)).toEqual([[1, 5]]);
    await world.slot();
    expect(steps(world).at(-1)).toEqual([5, 10]);
  });

  it("429 ends the object's turn without a retry in the slot", async () => {
    let calls = 0;
    world.interrupt = (call, when) => {
      if (call === "member.list" && when === "before") {
        calls += 1;
        fail("throttled");
      }
    };
    await world.slot();
    expect(calls).toBeLessThanOrEqual(2);
    expect(results(world).at(-1)).toBe("failed");
  });

  it("a quiet object writes nothing to the hub, and only its heartbeat and rare refreshes to the table", async () => {
    const quiet = tutorialWorld({ loadSeconds: 0 });
    await quiet.slots(4);
    const writes: string[] = [];
    quiet.interrupt = (call, when) => {
      if (when === "before" && /updateScale|mergePatch|create|table.put/.test(call)) writes.push(call);
    };
    await quiet.slots(20);
    expect(writes.filter((call) => call.startsWith("hub."))).toEqual([]);
    // Per slot the sweep's mark and the shard's heartbeat; once in five minutes the object's state.
    expect(writes.length).toBe(20 * 2 + 1);
  });

  it("an object that disappears is passed over, and starts anew when it is made again", async () => {
    await world.slots(2);
    const before = world.state();
    world.recreate();
    await world.slot();
    expect(world.state()?.uid).not.toBe(before?.uid);
    expect(world.state()?.history.scaleUpEvents).toEqual([]);
  });

  it("a failed evaluation closes the recommendation, so that the heartbeat does not extend it", async () => {
    expect(world.state()?.beatShard).toBe("o/default/nginx");
    world.interrupt = (call, when) => {
      if (call === "member.list" && when === "before") fail("unavailable");
    };
    await world.slot();
    expect(world.state()?.beatShard).toBeUndefined();
    expect(world.condition("AbleToScale")).toMatchObject({ status: "False", reason: "FailedGetScale" });
    const { version } = world.state() ?? {};
    await world.slots(2);
    expect(world.state()?.version).toBe(version);
  });

  it("a failure that goes on counts in one Event, once a minute", async () => {
    world.interrupt = (call, when) => {
      if (call === "member.list" && when === "before") fail("unavailable");
    };
    await world.slots(12);
    const [event, ...others] = world.events("FailedGetScale");
    expect(others).toEqual([]);
    expect(event?.count).toBeGreaterThanOrEqual(3);
    expect(event?.count).toBeLessThanOrEqual(4);
  });
});
