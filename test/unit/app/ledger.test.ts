import { describe, expect, it } from "vitest";
import { brotli } from "#adapters/zlib/compression";
import { decisionItems, listFailures, listScales } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import { replay } from "#app/ledger/replay";
import type { LedgerChoice } from "#domain/work/ledger";
import { pastCells, pastEvents, pastJson } from "#infra/cli/past-events";
import { PortFault } from "#ports/fault";
import type { Item } from "#ports/table";
import { tutorialWorld, type World, type WorldOptions } from "#test/unit/app/world";
import { MAX_RECORD_BYTES } from "#wire/decision-record";

const NGINX = { hub: "local", namespace: "default", name: "nginx" };
const RETENTION_SECONDS = 14 * 24 * 3600;
const SLOTS_AN_HOUR = 240;

function ledgerWorld(choice: LedgerChoice, options: WorldOptions = {}): World {
  const world = tutorialWorld(options);
  const ledger = { choice, retentionSeconds: RETENTION_SECONDS, compression: brotli };
  Object.assign(world.deps, { ledger });
  return world;
}

function records({ table }: World): readonly Item[] {
  return table.items().filter(({ sk }) => sk.startsWith("decision#"));
}

const told = (world: World) => records(world).map(({ result, from, to }) => [result, from, to]);

describe("the decision ledger", () => {
  it("keeps scales and changed conditions, each once, and nothing at rest (issue 7)", async () => {
    const world = ledgerWorld("changes");
    await world.slots(12);
    const scales = world.scales();
    expect(scales.map(({ from, to }) => [from, to])).toEqual([
      [1, 5],
      [5, 10],
      [10, 1],
    ]);
    expect(told(world).filter(([result]) => result === "scaled")).toEqual([
      ["scaled", 1, 5],
      ["scaled", 5, 10],
      ["scaled", 10, 1],
    ]);
    const busy = records(world).length;
    await world.slots(SLOTS_AN_HOUR);
    const settled = records(world)
      .slice(busy)
      .map(({ summary }) => summary);
    expect(settled.length).toBeLessThanOrEqual(2);
    await world.slots(SLOTS_AN_HOUR);
    expect(records(world)).toHaveLength(busy + settled.length);
  });

  it("each record decides again to the same bytes, and expires after its days", async () => {
    const world = ledgerWorld("all");
    await world.slots(16);
    expect(records(world)).toHaveLength(16);
    for (const item of records(world)) {
      expect(item.ttl).toBe(Math.floor(Number(item.atMs) / 1000) + RETENTION_SECONDS);
      const record = await readRecord(brotli, NGINX, item);
      if (!record.ok) throw new Error(record.fault);
      expect(replay(record.value)).toEqual({ result: "same" });
    }
  });

  it("a sample is every n-th evaluation beside the changes", async () => {
    const world = ledgerWorld({ sampleEvery: 10 });
    await world.slots(12);
    const changes = records(world).length;
    await world.slots(100);
    const sampled = records(world).length - changes;
    expect(sampled).toBeGreaterThanOrEqual(10);
    expect(sampled).toBeLessThanOrEqual(12);
  });

  it("a failure is kept at once, and then once a minute", async () => {
    const world = ledgerWorld("changes");
    await world.slots(2);
    const before = records(world).length;
    world.create("lost", {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nobody" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    });
    await world.slots(20);
    const failures = records(world).filter(({ pk }) => String(pk).endsWith("/lost"));
    expect(failures.length).toBeGreaterThanOrEqual(5);
    expect(failures.length).toBeLessThanOrEqual(6);
    expect(records(world).length - before).toBeLessThan(14);
  });

  it("only observed, a scale that would happen is kept when it is new, not every slot", async () => {
    const world = ledgerWorld("changes", { mode: "observe", loadSeconds: 600 });
    await world.slots(30);
    const kept = told(world).filter(([result]) => result === "would-scale");
    expect(kept.length).toBeGreaterThanOrEqual(1);
    expect(kept.length).toBeLessThanOrEqual(4);
  });

  it("only observed, its history is what it would have had, each once however long it is wanted", async () => {
    const world = ledgerWorld("changes", { mode: "observe", loadSeconds: 1200 });
    await world.slots(60);
    const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
    const events = await pastEvents(reader, NGINX, { limit: 50 });
    expect(events?.map(pastCells)).toEqual([
      [
        "2026-03-02T09:01:00Z",
        "1",
        "5",
        "member1 1",
        "would-scale",
        expect.stringMatching(/^cpu 100% of 10% → 10/),
      ],
    ]);
    expect(events?.map(pastJson)).toMatchObject([
      { kind: "would-scale", from: 1, to: 5, clustersBefore: { member1: 1 } },
    ]);
  });

  it("is read page by page, whole and in order", async () => {
    const world = ledgerWorld("all");
    await world.slots(230);
    const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
    const read: unknown[] = [];
    for await (const { sk } of decisionItems(reader, NGINX, {})) read.push(sk);
    expect(read).toHaveLength(230);
    expect(read).toEqual(records(world).map(({ sk }) => sk));
  });

  it("what is too large even compressed is kept without its inputs, and says so", async () => {
    const world = ledgerWorld("changes");
    const compression = {
      compress: async (text: string) => (text.includes('"snapshot"') ? "x".repeat(MAX_RECORD_BYTES) : text),
      decompress: async (text: string) => text,
    };
    Object.assign(world.deps, { ledger: { ...world.deps.ledger, compression } });
    await world.slots(6);
    const [item] = records(world);
    if (item === undefined) throw new Error("nothing on record");
    expect(item).toMatchObject({ replayable: false, cut: "its inputs are larger than 350 KB, compressed" });
    const record = await readRecord(compression, NGINX, item);
    if (!record.ok) throw new Error(record.fault);
    expect(record.value.decision).toMatchObject({ namespace: "default", name: "nginx" });
    expect(replay(record.value)).toEqual({ result: "not-replayable", why: item.cut });
  });

  it.each<[string, Partial<Item>, RegExp]>([
    ["of a newer version", { v: 2 }, /^the record's version v is 2, this version of Mainsheet reads 1/],
    ["whose body is damaged", { body: "AAAA" }, /^the record is damaged: decompress a text: /],
    ["whose body is no JSON", { body: "{", encoding: "json" }, /is not JSON/],
  ])("a record %s is one sentence", async (_what, change, sentence) => {
    const world = ledgerWorld("all");
    await world.slots(1);
    const [item] = records(world);
    const read = await readRecord(brotli, NGINX, { ...(item as Item), ...change });
    expect(read).toEqual({ ok: false, fault: expect.stringMatching(sentence) });
  });

  it("a table that takes no record keeps no scale from happening: it is logged", async () => {
    const world = ledgerWorld("changes");
    const put = world.table.put.bind(world.table);
    Object.assign(world.table, {
      put: (item: Item, condition: Parameters<typeof put>[1]) => {
        if (!item.sk.startsWith("decision#")) return put(item, condition);
        throw new PortFault("throttled", "put: slow down");
      },
    });
    await world.slots(12);
    expect(world.scales()).toHaveLength(3);
    expect(records(world)).toEqual([]);
    const warnings = world.log.filter(({ message }) => message === "decision not put on record");
    expect(warnings.length).toBeGreaterThanOrEqual(3);
    expect(warnings[0]?.fields).toMatchObject({ ...NGINX, fault: "put: slow down" });
  });

  it.each([
    ["after the PUT", "hub.updateScale", "after"],
    ["before the PUT", "hub.updateScale", "before"],
  ] as const)(
    "a scale whose run died %s is told with its cause and its clusters",
    async (_when, call, when) => {
      const world = ledgerWorld("changes", { loadSeconds: 300 });
      let crashes = 0;
      world.interrupt = (now, at) => {
        if (now !== call || at !== when || crashes > 0) return;
        crashes += 1;
        throw new Error("crash");
      };
      await world.slots(20);
      expect(crashes).toBe(1);
      const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
      const scales = await listScales(reader, NGINX, {});
      expect(scales.map(({ seen }) => seen?.clusters)).toEqual(scales.map(() => expect.any(Object)));
      const [first] = scales;
      expect(first?.seen).toMatchObject({ from: 1, to: 5, clusters: { member1: 1 } });
      expect(first?.seen?.summary).toBe("cpu 100% of 10% → 10; limited to 5 (ScaleUpLimit)");
      const cut = expect.stringMatching(/^the run that decided it died/);
      expect(first?.seen).toMatchObject({ replayable: false, cut });
    },
  );

  it("evaluations that come to no decision are kept, the first of each minute, with what failed", async () => {
    const world = ledgerWorld("changes");
    await world.slots(2);
    const fromMs = world.clock.nowMs() + 1;
    world.interrupt = (call, when) => {
      if (call === "hub.list" && when === "before") throw new PortFault("unavailable", "the hub is away");
    };
    await world.slots(9);
    world.interrupt = () => {};
    await world.slots(2);
    const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
    const failures = await listFailures(reader, NGINX, fromMs, world.clock.nowMs());
    // From 30 s to 150 s: in the minutes 0, 1 and 2.
    expect(
      failures.map(({ atMs, result, message }) => [(atMs - fromMs + 1) / 1000 - 15, result, message]),
    ).toEqual([
      [0, "failed", "the hub is away"],
      [30, "failed", "the hub is away"],
      [90, "failed", "the hub is away"],
    ]);
    expect(records(world).every(({ result }) => result !== "failed")).toBe(true);
  });
});
