import { beforeEach, describe, expect, it } from "vitest";
import { alarm, changed, type EventWorld, envelope, eventWorld, requested } from "./event-world.ts";
import { tutorialWorld, type World } from "./world.ts";

const NGINX = { namespace: "default", name: "nginx" };
const TARGET = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "nginx" };
let world: World;
let bus: EventWorld;

beforeEach(async () => {
  world = tutorialWorld();
  bus = eventWorld(world);
  await world.slots(2);
  await bus.pass(4_000);
  world.log.length = 0;
});

/** When the tutorial's object was evaluated since the log was last emptied; its instants are a millisecond later. */
const evaluations = () =>
  world.log
    .filter(({ message, fields }) => message === "decision" && fields.object === "default/nginx")
    .map(({ fields }) => Number(fields.atMs) - 1);
const passedOver = () => world.log.filter(({ message }) => message.startsWith("event passed over"));

describe("an event has those evaluated that it concerns", () => {
  it.each([
    ["the FederatedHPA itself", changed({ id: "u:1", kind: "FederatedHPA", ...NGINX })],
    [
      "the binding of its target",
      changed({
        id: "u:2",
        kind: "ResourceBinding",
        namespace: "default",
        name: "nginx-deployment",
        target: TARGET,
      }),
    ],
    [
      "the pods of its target in a member",
      changed({ id: "u:3", cluster: "member1", kind: "Pod", ...NGINX, target: TARGET }),
    ],
    ["a cluster that it is bound to", changed({ id: "u:4", kind: "Cluster", name: "member1" })],
    ["a request by its name", requested({ ...NGINX })],
    ["a request by its target", requested({ target: TARGET })],
  ])("%s", async (_name, event) => {
    await bus.put(event);
    expect(evaluations()).toEqual([world.clock.nowMs()]);
    expect(passedOver()).toEqual([]);
  });

  it.each([
    [
      "another workload",
      changed({ id: "u:1", kind: "ResourceBinding", ...NGINX, target: { ...TARGET, name: "other" } }),
      0,
    ],
    ["another cluster", changed({ id: "u:1", kind: "Cluster", name: "member9" }), 0],
    [
      "a FederatedHPA that was deleted",
      changed({ id: "u:1", kind: "FederatedHPA", ...NGINX, change: "deleted" }),
      0,
    ],
    ["a CronFederatedHPA", changed({ id: "u:1", kind: "CronFederatedHPA", ...NGINX }), 0],
    ["an alarm that nobody names", alarm("deep"), 1],
    ["an event that nobody knows", envelope("shop", "OrderPlaced", { order: 7 }), 1],
    ["our own news", envelope("mainsheet", "ScaleDecided", { v: 1, hub: "local", ...NGINX }), 1],
    ["a request for a hub that is none of ours", requested({ hub: "elsewhere", ...NGINX }), 1],
  ])("nothing comes of %s", async (_name, event, lines) => {
    await bus.put(event);
    expect(evaluations()).toEqual([]);
    expect(passedOver()).toHaveLength(lines);
  });

  it("an alarm, once an evaluation has seen the annotation that names it", async () => {
    world.annotate({ "mainsheet.io/alarms": "deep, slow" });
    await bus.put(alarm("slow"));
    expect(evaluations()).toEqual([]);
    await world.slot();
    await bus.pass(1_000);
    world.log.length = 0;
    await bus.put(alarm("slow"));
    expect(evaluations()).toEqual([world.clock.nowMs()]);

    world.annotate({ "mainsheet.io/alarms": "deep" });
    await world.slot();
    await bus.pass(1_000);
    world.log.length = 0;
    await bus.put(alarm("slow"));
    expect(evaluations()).toEqual([]);
  });

  it("a FederatedHPA that was never evaluated is found by its name", async () => {
    world.create("new", {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nothing" },
      maxReplicas: 3,
    });
    await bus.put(
      changed({ id: "u:1", kind: "FederatedHPA", namespace: "default", name: "new", change: "added" }),
    );
    expect(world.log.some(({ fields }) => fields.object === "default/new")).toBe(true);
  });

  it("and one that is gone leaves nothing behind that leads to it", async () => {
    expect(world.table.items().filter(({ pk }) => pk.startsWith("ref#"))).not.toEqual([]);
    world.remove("nginx");
    await bus.put(requested({ ...NGINX }));
    expect(world.table.items().filter(({ pk }) => pk.startsWith("ref#"))).toEqual([]);
  });
});

describe("the floor (default 3 s)", () => {
  it("the first event is evaluated at once, the last when the floor has passed, nothing between", async () => {
    const startMs = world.clock.nowMs();
    for (let i = 0; i < 20; i++) {
      await bus.put(requested({ id: `r-${i}`, ...NGINX }));
      await bus.pass(100);
    }
    expect(bus.heldBack()).toBe(1);
    await bus.pass(10_000);
    // The queue holds back by whole seconds, rounded up.
    expect(evaluations()).toEqual([startMs, startMs + 3_100]);
    expect(bus.heldBack()).toBe(0);
  });

  it("events of one batch are one evaluation now and one later", async () => {
    const startMs = world.clock.nowMs();
    await bus.put(...Array.from({ length: 10 }, (_, i) => requested({ id: `r-${i}`, ...NGINX })));
    await bus.pass(10_000);
    expect(evaluations()).toEqual([startMs, startMs + 3_000]);
  });

  it("mainsheet.io/min-interval sets another one", async () => {
    world.annotate({ "mainsheet.io/min-interval": "10s" });
    await world.slot();
    world.log.length = 0;
    const startMs = world.clock.nowMs();
    await bus.pass(1_000);
    for (let i = 0; i < 10; i++) {
      await bus.put(requested({ id: `r-${i}`, ...NGINX }));
      await bus.pass(1_000);
    }
    await bus.pass(10_000);
    expect(evaluations()).toEqual([startMs + 1_000, startMs + 11_000]);
  });

  it("one that is out of its limits is told, and the default holds", async () => {
    world.annotate({ "mainsheet.io/min-interval": "10ms", "mainsheet.io/alarms": "deep" });
    await world.slot();
    expect(world.log.filter(({ message }) => message === "an annotation is not heeded")).toMatchObject([
      { level: "warn", fields: { ...NGINX, path: "metadata.annotations[mainsheet.io/min-interval]" } },
    ]);
  });
});

it("an event at the very instant of a slot is evaluated too: the slot may have read before it", async () => {
  await world.slot();
  world.log.length = 0;
  await bus.put(requested({ ...NGINX }));
  expect(evaluations()).toEqual([world.clock.nowMs()]);
  expect(world.log.find(({ message }) => message === "decision")?.fields.result).not.toBe("stale");
});

it("B92: whatever its id and the object's name, ids stay within what queues and keys take", async () => {
  const name = "n".repeat(253);
  const long = requested({ id: "\u{1F600}".repeat(256), namespace: "s".repeat(63), name });
  await bus.put(long);
  await bus.put(long);
  await bus.put(requested({ id: "other", namespace: "s".repeat(63), name }));
  expect(bus.heldBack()).toBe(1);
});

describe("copies", () => {
  const event = () => changed({ id: "u:7", kind: "FederatedHPA", ...NGINX });

  it.each([0, 1_000, 3_500, 200_000, 590_000])(
    "an event that comes again after %i ms is dropped",
    async (ms) => {
      await bus.put(event());
      await bus.pass(ms);
      await bus.put(event());
      await bus.pass(4_000);
      expect(evaluations()).toHaveLength(1);
    },
  );

  it("also when it waited for the floor with others", async () => {
    await bus.put(requested({ id: "r", ...NGINX }));
    await bus.put(requested({ id: "s", ...NGINX }));
    await bus.put(event());
    await bus.pass(4_000);
    await bus.put(event());
    await bus.pass(4_000);
    expect(evaluations()).toHaveLength(2);
  });

  it("two of one batch are one", async () => {
    await bus.put(event(), event());
    await bus.pass(4_000);
    expect(evaluations()).toHaveLength(1);
  });

  it("what an archive sends again is evaluated now", async () => {
    await bus.put(event());
    await bus.pass(4_000);
    await bus.put({ ...event(), "replay-name": "monday" });
    expect(evaluations()).toHaveLength(2);
    expect(evaluations()[1]).toBe(world.clock.nowMs());
  });
});
