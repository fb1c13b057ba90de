import { beforeAll, describe, expect, it } from "vitest";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { decideScale } from "#domain/scale/decide";
import { PortFault } from "#ports/fault";
import type { ObjectMessage } from "#wire/work";
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

  it("is told so again within a minute, where an evaluation beside it wrote over that (storm seed 3204)", async () => {
    world.overwriteConditions();
    expect(world.condition("ScalingActive")).toBeUndefined();
    await world.slots(4);
    expect(world.condition("ScalingActive")).toMatchObject({ status: "False", reason: "Quarantined" });
    expect(world.events("Quarantined")).toHaveLength(1);
  });

  it("and is left alone where the hub cannot say whether it is told", async () => {
    world.overwriteConditions();
    world.interrupt = (call, when) => {
      if (call === "hub.get" && when === "before") throw new PortFault("unavailable", "no answer");
    };
    await world.slots(4);
    world.interrupt = () => {};
    expect(decisions().slice(-4)).toEqual(Array.from({ length: 4 }, () => "quarantined"));
    await world.slots(4);
    expect(world.condition("ScalingActive")).toMatchObject({ reason: "Quarantined" });
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

/** The object's own message, after a crash, at the slot behind the second. */
async function heldUp(): Promise<{ readonly world: World; readonly message: ObjectMessage }> {
  const world = tutorialWorld();
  await world.slots(2);
  world.clock.advance(15_000);
  const object = { namespace: "default", name: "nginx" };
  const dueAtMs = world.clock.nowMs();
  const message: ObjectMessage = { v: 1, kind: "object", hub: "local", object, dueAtMs, afterCrash: true };
  return { world, message };
}

it("an object whose turn comes when the time is up is not on trial for what is still under way (storm seed 609)", async () => {
  const world = tutorialWorld();
  world.create("other", {
    minReplicas: 1,
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" },
  });
  await world.slots(2);
  const dueAtMs = world.clock.nowMs() + 15_000;
  world.clock.advance(15_000);
  const messages = ["nginx", "other"].map(
    (name): ObjectMessage => ({
      ...{ v: 1, kind: "object", hub: "local", dueAtMs, afterCrash: true },
      object: { namespace: "default", name },
    }),
  );
  const { port } = world.deps.hubs.local as NonNullable<typeof world.deps.hubs.local>;
  Object.assign(port, { list: () => new Promise(() => {}) });
  const time = new AbortController();
  const work = openReconcile(world.deps, messages, time.signal);
  const trials = () => world.table.items().filter(({ sk, isOpen }) => sk === "trial" && isOpen === true);
  const opened: string[] = [];
  world.interrupt = (call, when) => {
    if (call === "table.put" && when === "after") opened.push(...trials().map(({ pk }) => pk));
  };
  const both = messages.map((message, i) => work(message, { messageId: `m-${i}`, receiveCount: 2 }));
  await new Promise((resolve) => setImmediate(resolve));
  time.abort();
  await Promise.all(both);
  expect(new Set(opened)).toEqual(new Set(["fhpa#local#default/nginx"]));
});

it("what is given up when the time is up decides nothing any more: it may kill whatever runs then (storm seed 609)", async () => {
  const { world, message } = await heldUp();
  const { port } = world.deps.hubs.local as NonNullable<typeof world.deps.hubs.local>;
  const { list } = port;
  let answer = () => {};
  const slow: typeof list = async (...args) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return list(...args);
  };
  Object.assign(port, { list: slow });
  let decided = 0;
  const decide: typeof decideScale = (...given) => {
    decided += 1;
    return decideScale(...given);
  };
  const evaluate = async (isTimeUp: boolean) => {
    const time = new AbortController();
    const work = openReconcile({ ...world.deps, decide }, [message], time.signal);
    const done = work(message, { messageId: "m", receiveCount: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    if (isTimeUp) time.abort();
    Object.assign(port, { list });
    answer();
    await done;
    await new Promise((resolve) => setImmediate(resolve));
    Object.assign(port, { list: slow });
    return decided;
  };
  expect(await evaluate(true)).toBe(0);
  expect(await evaluate(false)).toBe(1);
});

it("a trial's mark that only arrives when the trial is over accuses nobody (storm seed 9807)", async () => {
  const { world, message } = await heldUp();
  const { put } = world.table;
  let arrives = async () => {};
  const slow: typeof put = async (item, condition) => {
    if (item.sk !== "trial" || item.isOpen !== true) return put(item, condition);
    arrives = () => put(item, condition);
    throw new PortFault("unavailable", "no answer within 5 s");
  };
  Object.assign(world.table, { put: slow });
  const work = (receiveCount: number) =>
    openReconcile(
      world.deps,
      [message],
      new AbortController().signal,
    )(message, {
      messageId: "m",
      receiveCount,
    });
  await work(2);
  await expect(arrives()).rejects.toThrow(/condition/);
  await work(3);
  expect(world.log.filter(({ message: text }) => text === "object quarantined")).toEqual([]);
});

it("a trial's end is marked also where the table refuses it twice: the message may come again (storm seed 5643)", async () => {
  const { world, message } = await heldUp();
  const { put } = world.table;
  let refusals = 2;
  const refusing: typeof put = async (item, condition) => {
    if (item.sk === "trial" && item.isOpen === false && refusals-- > 0)
      throw new PortFault("throttled", "too many");
    return put(item, condition);
  };
  Object.assign(world.table, { put: refusing });
  for (const receiveCount of [2, 3]) {
    const work = openReconcile(world.deps, [message], new AbortController().signal);
    await work(message, { messageId: "m", receiveCount });
  }
  expect(refusals).toBeLessThan(1);
  expect(world.log.filter(({ message: text }) => text === "object quarantined")).toEqual([]);
});
