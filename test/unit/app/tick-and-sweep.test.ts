import { beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#adapters/memory/clock";
import { memoryQueue } from "#adapters/memory/queue";
import { memoryTable } from "#adapters/memory/table";
import { sweep } from "#app/sweep";
import { tick } from "#app/tick";
import type { KubeObject, KubernetesPort } from "#ports/kubernetes";
import type { ShardMessage, SlotMessage } from "#wire/work";

const MINUTE = 1_700_000_040_000;
const queues = { sweep: { fifo: false }, cron: { fifo: false }, reconcile: { fifo: true } };

describe("tick", () => {
  it("sends each hub's slots of two minutes, delayed to their instants (design 1)", async () => {
    const clock = memoryClock(MINUTE + 700);
    const queue = memoryQueue({ clock, queues });
    await tick({ clock, queue, hubs: ["eu", "us"], syncPeriodSeconds: 15 });
    const messages = queue.take("sweep");
    expect(messages).toHaveLength(16);
    const [first] = messages;
    expect(JSON.parse(first?.body ?? "")).toEqual({ v: 1, kind: "slot", hub: "eu", slotMs: MINUTE + 15_000 });
    expect(first?.delaySeconds).toBe(15);
  });

  it("sends each hub's full minutes to the cron, delayed to their :00 (design 1)", async () => {
    const clock = memoryClock(MINUTE - 700);
    const queue = memoryQueue({ clock, queues });
    await tick({ clock, queue, hubs: ["eu", "us"], syncPeriodSeconds: 15 });
    const messages = queue.take("cron").map(({ body, delaySeconds }) => [JSON.parse(body), delaySeconds]);
    const cron = (hub: string, dueAtMs: number) => ({ v: 1, kind: "cron", hub, dueAtMs });
    expect(messages).toEqual([
      [cron("eu", MINUTE), 1],
      [cron("eu", MINUTE + 60_000), 61],
      [cron("us", MINUTE), 1],
      [cron("us", MINUTE + 60_000), 61],
    ]);
  });

  it("fails when a message was not accepted, so that the minute's error shows", async () => {
    const clock = memoryClock(MINUTE);
    const queue = memoryQueue({ clock, queues, refuse: () => "InternalError" });
    const run = tick({ clock, queue, hubs: ["eu"], syncPeriodSeconds: 15 });
    await expect(run).rejects.toThrow(/10 of 10 not accepted \(InternalError\)/);
  });
});

describe("sweep", () => {
  const clock = memoryClock(MINUTE);
  let objects: KubeObject[];
  let table: ReturnType<typeof memoryTable>;
  let queue: ReturnType<typeof memoryQueue>;
  let refused: number;

  const hub = {
    listMetadata: async () => ({ items: objects, resourceVersion: "1" }),
  } as unknown as KubernetesPort;
  const slot = (slotMs = MINUTE): SlotMessage => ({ v: 1, kind: "slot", hub: "eu", slotMs });
  const run = (message = slot()) =>
    sweep({ clock, table, queue, hubs: { eu: { port: hub } }, syncPeriodSeconds: 15 }, message);
  const sent = () => queue.take("reconcile").map(({ body }) => JSON.parse(body) as ShardMessage);

  beforeEach(() => {
    objects = [1, 2, 3].map((i) => ({ metadata: { namespace: "shop", name: `web-${i}`, generation: i } }));
    table = memoryTable({ clock });
    refused = 0;
    queue = memoryQueue({ clock, queues, refuse: () => (refused-- > 0 ? "InternalError" : undefined) });
  });

  it("sends one message per object of a small fleet, grouped and de-duplicated by shard", async () => {
    expect(await run()).toEqual({ result: "swept", objects: 3, shards: 3 });
    const [first] = queue.take("reconcile");
    expect(first?.groupId).toBe("eu:o/shop/web-1");
    expect(first?.deduplicationId).toBe(`eu:o/shop/web-1:${MINUTE}`);
    expect(JSON.parse(first?.body ?? "")).toEqual({
      v: 1,
      kind: "shard",
      hub: "eu",
      shard: "o/shop/web-1",
      dueAtMs: MINUTE,
      objects: [{ namespace: "shop", name: "web-1", generation: 1 }],
    });
  });

  it("does a slot once: its duplicate finds the mark", async () => {
    await run();
    expect(await run()).toEqual({ result: "duplicate" });
    expect(sent()).toHaveLength(3);
  });

  it("is not marked as done before every entry was accepted; its duplicate sends what is missing, nothing twice", async () => {
    refused = 3;
    await expect(run()).rejects.toThrow(/1 of 3 not accepted/);
    expect(await run()).toMatchObject({ result: "swept" });
    expect(
      sent()
        .map(({ shard }) => shard)
        .sort(),
    ).toEqual(["o/shop/web-1", "o/shop/web-2", "o/shop/web-3"]);
  });

  it("drops a slot that is more than a period late", async () => {
    expect(await run(slot(MINUTE - 15_001))).toEqual({ result: "late" });
    expect(sent()).toEqual([]);
  });

  it("shares messages beyond 40 objects and remembers the mode", async () => {
    objects = Array.from({ length: 80 }, (_, i) => ({ metadata: { namespace: "shop", name: `web-${i}` } }));
    await run();
    objects = objects.slice(0, 50);
    await run(slot(MINUTE + 15_000));
    const shards = sent().filter(({ dueAtMs }) => dueAtMs > MINUTE);
    expect(new Set(shards.map(({ shard }) => shard))).toEqual(
      new Set(["n/shop/0of3", "n/shop/1of3", "n/shop/2of3"]),
    );
  });

  it("names a hub that is not configured", async () => {
    await expect(run({ ...slot(), hub: "mars" })).rejects.toThrow(/no such hub in MAINSHEET_HUBS/);
  });
});
