import { describe, expect, it } from "vitest";
import { envelope, eventWorld, requested } from "./event-world.ts";
import { tutorialWorld, type World } from "./world.ts";

const NGINX = { namespace: "default", name: "nginx" };
const VISIBILITY_MS = 60_000;

/** The calls that `route` makes for one event, each before it has an effect and after. */
const PLACES = Array.from({ length: 16 }, (_, place) => place);

/** Dies at the n-th place of what follows, counted over the table's calls and the queue's. */
function arm(world: World, place: number): { readonly hasDied: () => boolean } {
  let left = place;
  let died = false;
  const step = () => {
    if (left === 0) died = true;
    left -= 1;
    if (died && left === -1) throw new Error("died");
  };
  const { queue } = world;
  const send = queue.send.bind(queue);
  world.interrupt = (call) => {
    if (call.startsWith("table.")) step();
  };
  Object.assign(world.deps, {
    queue: {
      ...queue,
      send: async (...given: Parameters<typeof send>) => {
        step();
        const failed = await send(...given);
        step();
        return failed;
      },
    },
  });
  return { hasDied: () => died };
}

function disarm(world: World): void {
  world.interrupt = () => {};
  Object.assign(world.deps, { queue: world.queue });
}

const evaluations = (world: World) =>
  world.log.filter(({ message, fields }) => message === "decision" && fields.object === "default/nginx")
    .length;

describe("an invocation of route that dies anywhere loses no event", () => {
  it("there are places enough, and the last ones are after its end", async () => {
    let died = 0;
    for (const place of PLACES) {
      const { world, bus } = await ready();
      const armed = arm(world, place);
      await bus.route(JSON.stringify(requested({ id: "first", ...NGINX }))).catch(() => {});
      if (armed.hasDied()) died += 1;
    }
    expect(died).toBeGreaterThanOrEqual(12);
    expect(died).toBeLessThan(PLACES.length);
  });

  it.each(PLACES)("at place %i: its message comes again, and there is one evaluation", async (place) => {
    const { world, bus } = await ready();
    const body = JSON.stringify(requested({ id: "first", ...NGINX }));
    const armed = arm(world, place);
    await bus.route(body).catch(() => {});
    disarm(world);
    await world.deliver();
    if (armed.hasDied()) {
      await bus.pass(VISIBILITY_MS);
      await bus.route(body, 2);
      await world.deliver();
      await bus.pass(5_000);
    }
    expect(evaluations(world)).toBe(1);
  });

  it.each(PLACES)(
    "at place %i of a second event within the floor: what it held back comes",
    async (place) => {
      const { world, bus } = await ready();
      await bus.put(requested({ id: "first", ...NGINX }));
      await bus.pass(500);
      const body = JSON.stringify(requested({ id: "second", ...NGINX }));
      const armed = arm(world, place);
      await bus.route(body).catch(() => {});
      disarm(world);
      await world.deliver();
      await bus.pass(4_000);
      if (armed.hasDied()) {
        await bus.pass(VISIBILITY_MS);
        await bus.route(body, 2);
        await world.deliver();
        await bus.pass(5_000);
      }
      expect(evaluations(world)).toBe(2);
    },
  );

  it.each(PLACES)(
    "at place %i of the later message: the evaluation at the end of the floor comes",
    async (place) => {
      const { world, bus } = await ready();
      await bus.put(requested({ id: "first", ...NGINX }));
      await bus.put(requested({ id: "second", ...NGINX }));
      await bus.put(requested({ id: "third", ...NGINX }));
      const [later] = bus.takeHeld();
      await bus.pass(3_000);
      const armed = arm(world, place);
      await bus.route(later ?? "").catch(() => {});
      disarm(world);
      await world.deliver();
      if (armed.hasDied()) {
        await bus.pass(VISIBILITY_MS);
        await bus.route(later ?? "", 2);
        await world.deliver();
        await bus.pass(5_000);
      }
      expect(evaluations(world)).toBe(2);
    },
  );

  it("nor one that stored its turn, while another copy of the event was dealt with (storm seed 765)", async () => {
    const { world, bus } = await ready();
    await bus.put(requested({ id: "first", ...NGINX }));
    await bus.pass(500);
    const body = JSON.stringify(requested({ id: "second", ...NGINX }));

    const { put } = world.table;
    let markAsSeen = () => {};
    let copy = Promise.resolve();
    await new Promise<void>((asksToMark) => {
      const slow: typeof put = async (item, condition) => {
        if (item.pk.startsWith("seen#")) {
          asksToMark();
          await new Promise<void>((resolve) => {
            markAsSeen = resolve;
          });
        }
        return put(item, condition);
      };
      Object.assign(world.table, { put: slow });
      copy = bus.route(body);
    });
    await bus.pass(3_000);
    Object.assign(world.deps, { queue: { ...world.queue, send: () => Promise.reject(new Error("died")) } });
    await expect(bus.route(body)).rejects.toThrow("died");
    disarm(world);
    Object.assign(world.table, { put });
    markAsSeen();
    await copy;
    const [later = ""] = bus.takeHeld();
    await bus.route(later);
    await world.deliver();
    expect(evaluations(world)).toBe(1);

    await bus.pass(VISIBILITY_MS);
    await bus.route(body, 2);
    await world.deliver();
    expect(evaluations(world)).toBe(2);
  });

  async function ready() {
    const world = tutorialWorld();
    await world.slots(2);
    const bus = eventWorld(world);
    await bus.pass(4_000);
    world.log.length = 0;
    return { world, bus };
  }
});

it("an event that nobody knows is worked without a call of the table", async () => {
  const world = tutorialWorld();
  const bus = eventWorld(world);
  const calls: string[] = [];
  world.interrupt = (call) => calls.push(call);
  await bus.put(envelope("shop", "OrderPlaced", {}));
  expect(calls).toEqual([]);
});
