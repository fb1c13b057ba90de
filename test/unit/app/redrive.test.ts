import { beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryQueue } from "#adapters/memory/queue";
import { memoryTable } from "#adapters/memory/table";
import { park } from "#app/park";
import { listParked } from "#app/parked/list-parked";
import { type RedriveDeps, redrive } from "#app/parked/redrive";
import type { Parked } from "#wire/parked";
import { tutorialWorld } from "./world.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const QUEUES = { sweep: { fifo: false }, reconcile: { fifo: true } };

const OBJECT = {
  v: 1,
  kind: "object",
  hub: "eu",
  dueAtMs: NOW_MS - 3_600_000,
  object: { namespace: "shop", name: "web", generation: 4 },
  afterCrash: true,
};
const SHARD = {
  v: 1,
  kind: "shard",
  hub: "eu",
  shard: "ns/shop",
  dueAtMs: NOW_MS - 60_000,
  objects: [{ namespace: "shop", name: "web" }],
};
const SLOT = { v: 1, kind: "slot", hub: "eu", slotMs: NOW_MS - 60_000 };

describe("parked messages", () => {
  const parked = (body: object | string, more: Partial<Parked> = {}) => ({
    queue: "reconcile",
    messageId: "m-1",
    body: typeof body === "string" ? body : JSON.stringify(body),
    cause: "crashed",
    receiveCount: 3,
    atMs: NOW_MS - 3_000_000,
    ...more,
  });
  let interrupted: string | undefined;
  let refusal: string | undefined;
  let clock: ReturnType<typeof memoryClock>;
  let table: ReturnType<typeof memoryTable>;
  let queue: ReturnType<typeof memoryQueue>;
  let deps: RedriveDeps;

  beforeEach(() => {
    interrupted = undefined;
    refusal = undefined;
    clock = memoryClock(NOW_MS);
    const die = (call: string) => {
      if (interrupted === call) throw new Error(`killed at ${call}`);
    };
    let puts = 0;
    table = memoryTable({
      clock,
      interrupt: (operation, when) => {
        if (operation === "put" && when === "before") puts += 1;
        die(`${operation} ${puts} ${when}`);
      },
    });
    queue = memoryQueue({
      clock,
      queues: QUEUES,
      refuse: () => refusal,
      interrupt: (when) => die(`send ${when}`),
    });
    deps = { table, queue, clock, ids: memoryIds(), queues: QUEUES, syncPeriodSeconds: 15 };
  });

  const list = () => listParked(table, ["eu"], clock.nowMs());
  async function redriveAll() {
    const outcomes = [];
    for (const message of await list()) outcomes.push(await redrive(deps, message));
    return outcomes.map(({ result, detail }) => [result, detail]);
  }

  it("one object's message goes out as work of this moment, for its own group, with a new de-duplication id", async () => {
    await park(table, parked(OBJECT));
    expect(await redriveAll()).toEqual([["redriven", "shop/web, to queue reconcile"]]);
    const [sent, ...others] = queue.take("reconcile");
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ groupId: "eu:o/shop/web", deduplicationId: "id-1" });
    expect(JSON.parse(sent?.body ?? "")).toEqual({ ...OBJECT, dueAtMs: NOW_MS, redriven: true });
  });

  it("keeps the group that the message had", async () => {
    await park(table, parked(OBJECT, { groupId: "g" }));
    await redriveAll();
    expect(queue.take("reconcile")[0]?.groupId).toBe("g");
  });

  it("is marked, not deleted, and not sent a second time, however late", async () => {
    await park(table, parked(OBJECT));
    await redriveAll();
    queue.take("reconcile");
    clock.advance(3_600_000);
    expect(await redriveAll()).toEqual([["already", "sent again at 2026-03-02T09:00:00Z"]]);
    expect(queue.take("reconcile")).toEqual([]);
    expect(await list()).toMatchObject([{ messageId: "m-1", redrive: { sent: true, atMs: NOW_MS } }]);
  });

  it("a message that is parked a second time keeps its mark", async () => {
    await park(table, parked(OBJECT));
    await redriveAll();
    await park(table, parked(OBJECT));
    expect(await redriveAll()).toMatchObject([["already", expect.any(String)]]);
  });

  it.each<[string, object | string, Partial<Parked>, string, RegExp]>([
    ["a shard's message of a minute ago", SHARD, {}, "stale", /periodic work/],
    ["a slot's message of a minute ago", SLOT, { queue: "sweep" }, "stale", /periodic work/],
    [
      "a cron message of two minutes ago",
      { v: 1, kind: "cron", hub: "eu", dueAtMs: NOW_MS - 120_000 },
      { queue: "cron" },
      "stale",
      /periodic work/,
    ],
    ["a body that is no JSON", "{", {}, "unreadable", /not JSON/],
    ["a body of a newer version", { ...OBJECT, v: 2 }, {}, "unreadable", /^v: /],
    ["a queue that this version lacks", OBJECT, { queue: "moon" }, "unreadable", /queue moon is none/],
  ])("%s is reported, not sent, and stays as it was", async (_, body, more, result, detail) => {
    await park(table, parked(body, more));
    const before = table.items();
    expect(await redriveAll()).toEqual([[result, expect.stringMatching(detail)]]);
    expect(queue.take(more.queue ?? "reconcile")).toEqual([]);
    expect(table.items()).toEqual(before);
  });

  it.each<[string, object, string]>([
    ["a shard's", { ...SHARD, dueAtMs: NOW_MS - 5_000 }, "reconcile"],
    ["a slot's", { ...SLOT, slotMs: NOW_MS - 5_000 }, "sweep"],
  ])("%s message that is not late yet goes out as it was", async (_, body, queueName) => {
    await park(table, parked(body, { queue: queueName }));
    expect(await redriveAll()).toMatchObject([["redriven", expect.any(String)]]);
    expect(queue.take(queueName)).toMatchObject([{ body: JSON.stringify(body) }]);
  });

  it("what names no hub is listed with every hub", async () => {
    await park(table, parked("{"));
    await park(table, parked(OBJECT, { messageId: "m-2" }));
    expect((await list()).map(({ hub, messageId }) => [hub, messageId])).toEqual([
      ["eu", "m-2"],
      ["-", "m-1"],
    ]);
  });

  it.each(["put 2 after", "send before", "send after", "put 3 before", "put 3 after"])(
    "killed at %s, the next redrive finishes under the same id, and the queue takes one",
    async (moment) => {
      await park(table, parked(OBJECT));
      const [message] = await list();
      if (message === undefined) throw new Error("nothing is parked");
      interrupted = moment;
      await expect(redrive(deps, message)).rejects.toThrow(`killed at ${moment}`);
      interrupted = undefined;
      await redriveAll();
      expect(queue.take("reconcile").map(({ deduplicationId }) => deduplicationId)).toEqual(["id-1"]);
      expect(await list()).toMatchObject([{ redrive: { id: "id-1", sent: true } }]);
    },
  );

  it("two people at once: one sends, the other is told", async () => {
    await park(table, parked(OBJECT));
    const [message] = await list();
    if (message === undefined) throw new Error("nothing is parked");
    const results = await Promise.all([redrive(deps, message), redrive(deps, message)]);
    expect(results.map(({ result }) => result).sort()).toEqual(["contended", "redriven"]);
    expect(queue.take("reconcile")).toHaveLength(1);
  });

  it("an entry that the queue refuses stays open, and says why", async () => {
    await park(table, parked(OBJECT));
    refusal = "KMS is down";
    expect(await redriveAll()).toEqual([["refused", "KMS is down"]]);
    refusal = undefined;
    expect(await redriveAll()).toMatchObject([["redriven", expect.any(String)]]);
  });
});

describe("a quarantined object", () => {
  it.each([
    ["stays at its count", 60, "unchanged"],
    ["is scaled", 900, "scaled"],
  ])(
    "%s at once when its message is redriven, and its quarantine ends",
    async (_, loadSeconds, evaluated) => {
      const world = tutorialWorld({ loadSeconds });
      await world.slots(2);
      world.interrupt = (call, when) => {
        if (call === "hub.list" && when === "before") throw new Error("out of memory");
      };
      await world.slots(13);
      world.interrupt = () => {};
      const decisions = () =>
        world.log.filter(({ message }) => message === "decision").map(({ fields }) => fields.result);
      await world.slot();
      expect(decisions().at(-1)).toBe("quarantined");

      const [message] = await listParked(world.table, ["local"], world.clock.nowMs());
      if (message === undefined) throw new Error("nothing is parked");
      const { result } = await redrive({ ...world.deps, queues: QUEUES, syncPeriodSeconds: 15 }, message);
      expect(result).toBe("redriven");
      const before = decisions().length;
      await world.slots(2);
      expect(decisions().slice(before)).toContain(evaluated);
      expect(decisions().slice(-2)).not.toContain("quarantined");
      expect(world.state()?.quarantine).toBeUndefined();
      expect(world.condition("ScalingActive")).toMatchObject({ status: "True", reason: "ValidMetricFound" });
    },
  );
});
