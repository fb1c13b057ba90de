import { describe, expect, it } from "vitest";
import { tutorialWorld, type World } from "./world.ts";

const STEPS = [
  [1, 5],
  [5, 10],
  [10, 1],
] as const;

const steps = (world: World) => world.scales().map(({ from, to }) => [from, to]);

class Crash extends Error {}

/** The calls around the first scale, in order, as `port.operation` with when. */
async function callsOfFirstScale(): Promise<string[]> {
  const world = tutorialWorld();
  await world.slots(4);
  const calls: string[] = [];
  world.interrupt = (call, when) => calls.push(`${call} ${when}`);
  await world.slot();
  return calls;
}

describe("the tutorial (systems C9, C10)", () => {
  it("scales 1 to 5 to 10 in two successive slots, and back to 1, each step recorded and told once", async () => {
    const world = tutorialWorld();
    await world.slots(16);
    expect(steps(world)).toEqual(STEPS);
    const [first, second] = world.scales();
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBe(15_000);
    expect(world.events("SuccessfulRescale")).toHaveLength(3);
  });

  it("observe decides and records, and writes nothing to the hub", async () => {
    const world = tutorialWorld({ mode: "observe" });
    const writes: string[] = [];
    world.interrupt = (call) => {
      if (/updateScale|mergePatch|create/.test(call)) writes.push(call);
    };
    await world.slots(8);
    expect(writes).toEqual([]);
    expect(world.replicas()).toBe(1);
    const wanted = world.log.filter(({ fields }) => fields.result === "would-scale");
    expect(wanted.map(({ fields }) => [fields.from, fields.to])).toContainEqual([1, 5]);
  });
});

describe("a crash at any call around a scale (design 1: at least once, effect once)", async () => {
  const calls = await callsOfFirstScale();

  it("is tried at every call", () => {
    expect(calls).toContain("hub.updateScale before");
    expect(calls).toContain("hub.updateScale after");
    expect(calls.filter((call) => call === "table.put after").length).toBeGreaterThanOrEqual(4);
  });

  it.each(calls.map((call, i) => [i, call] as const))("call %i: %s", async (at, call) => {
    const world = tutorialWorld({ loadSeconds: 240 });
    await world.slots(4);
    let count = -1;
    world.interrupt = (name, when) => {
      count += 1;
      if (count === at) throw new Crash(`${name} ${when}`);
    };
    await world.slot().catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    expect(count, call).toBeGreaterThanOrEqual(at);
    world.interrupt = () => {};
    await world.slots(24);
    expect(steps(world)).toEqual(STEPS);
    expect(world.replicas()).toBe(1);
    expect(world.events("SuccessfulRescale")).toHaveLength(STEPS.length);
  });
});

describe("a read that need not be consistent and is old", () => {
  it("shows an intent that was settled since: it is not taken for the author of a later scale (storm seeds 7, 15)", async () => {
    const world = tutorialWorld();
    await world.slots(5);
    const [first] = world.scales();
    expect(steps(world)).toEqual([STEPS[0]]);
    const atMs = (first?.atMs ?? 0) - 15_000;
    const settled = { ...first, ...targetAsAnnounced(world), id: "settled", atMs };
    const { getMany } = world.table;
    Object.assign(world.table, {
      getMany: async (...args: Parameters<typeof getMany>) =>
        (await getMany(...args)).map((item) =>
          item?.sk === "state" ? { ...item, version: (item.version ?? 0) - 1, intent: settled } : item,
        ),
    });
    await world.slots(11);
    expect(world.scales().map(({ intentId }) => intentId)).not.toContain("settled");
    expect(steps(world)).toEqual(STEPS);
  });
});

/** What an intent for the target as it was before the first scale says of it. */
function targetAsAnnounced({ fleet }: World) {
  const resource = { group: "apps", version: "v1", resource: "deployments" };
  const object = fleet.hub.store.get(resource, "default", "nginx");
  const { uid = "", generation = 0 } = object?.metadata ?? {};
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "nginx", uid, resource };
  return { target, generation: generation - 1, resourceVersion: "1", storedAtMs: 0 };
}
