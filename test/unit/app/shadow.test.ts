import { describe, expect, it } from "vitest";
import { readYaml } from "#adapters/js-yaml/read-yaml";
import { brotli } from "#adapters/zlib/compression";
import { decisionItems, listShadows, shadowItems } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import { recordAccount } from "#app/ledger/record-account";
import { replay } from "#app/ledger/replay";
import type { KubeObject } from "#sim/api/object";
import type { DecisionRecord } from "#wire/decision-record";
import { tutorialWorld, type World, type WorldOptions } from "./world.ts";

const ID = { hub: "local", namespace: "default", name: "nginx" };
/** The tutorial's own spec. */
const SAME = `
minReplicas: 1
maxReplicas: 10
behavior:
  scaleUp: { stabilizationWindowSeconds: 10 }
  scaleDown: { stabilizationWindowSeconds: 10 }
metrics:
  - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 10 } } }
`;
const LARGER = SAME.replace("maxReplicas: 10", "maxReplicas: 40");

function shadowed(text: string, options: WorldOptions = {}): World {
  const world = tutorialWorld(options);
  Object.assign(world.deps, {
    readYaml,
    ledger: { choice: "all", retentionSeconds: 86_400, compression: brotli },
  });
  write(world, "next", { spec: text });
  world.annotate({ "mainsheet.io/shadow": "next" });
  return world;
}

/** Makes or changes a ConfigMap. */
function write({ fleet: { hub }, clock }: World, name: string, data: Record<string, string>): void {
  const type = hub.catalogue.findKind("v1", "ConfigMap");
  if (type === undefined) throw new Error("the hub serves no ConfigMap");
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data };
  const body = { type: "apply", body: object as KubeObject } as const;
  const write = { nowMs: clock.nowMs(), fieldManager: "kubectl" };
  const outcome = hub.patch(type, { namespace: "default", name }, body, write);
  if (!outcome.ok) throw new Error(outcome.status.message);
}

const steps = (world: World) => world.scales().map(({ from, to }) => [from, to]);

async function recordsIn(world: World, kind: "real" | "shadow"): Promise<DecisionRecord[]> {
  const reader = { table: world.table, compression: brotli, nowMs: world.clock.nowMs() };
  const items = kind === "real" ? decisionItems(reader, ID, {}) : shadowItems(reader, ID, {});
  const records: DecisionRecord[] = [];
  for await (const item of items) {
    const record = await readRecord(brotli, ID, item);
    if (!record.ok) throw new Error(record.fault);
    records.push(record.value);
  }
  return records;
}

describe("a shadow spec (mainsheet.io/shadow)", () => {
  it("is decided at every evaluation and never applied", async () => {
    const world = shadowed(LARGER);
    await world.slots(16);
    expect(steps(world)).toEqual([
      [1, 5],
      [5, 10],
      [10, 1],
    ]);
    const shadows = await listShadows(
      { table: world.table, compression: brotli, nowMs: world.clock.nowMs() },
      ID,
      {},
    );
    expect(shadows).toHaveLength(16);
    // At 90 s ten run at 100 % of 10 %: the real one stays at its most, the other would double them.
    expect(shadows[6]).toMatchObject({ from: 10, to: 20, shadow: { configMap: "next", real: { to: 10 } } });
    expect(shadows[6]?.shadow?.real.summary).toBe("cpu 100% of 10% → 50; limited to 10 (TooManyReplicas)");
    const told = recordAccount((await recordsIn(world, "shadow"))[6] as DecisionRecord);
    expect(told.ok && told.value.sections.find(({ title }) => title === "shadow")?.lines).toEqual([
      "by ConfigMap next, never applied",
      "the real one: cpu 100% of 10% → 50; limited to 10 (TooManyReplicas)",
    ]);
    expect(shadows[6]?.summary).toBe("cpu 100% of 10% → 50; limited to 20 (ScaleUpLimit)");
  });

  it("that is the same as the real one decides the same at every slot, across heartbeats and scales", async () => {
    const world = shadowed(SAME);
    await world.slots(40);
    const [real, shadow] = [await recordsIn(world, "real"), await recordsIn(world, "shadow")];
    const wanted = (records: DecisionRecord[]) =>
      records.map(({ decision }) => [decision?.instantMs, decision?.desiredReplicas, decision?.trace]);
    expect(shadow).toHaveLength(40);
    expect(wanted(shadow)).toEqual(wanted(real));
    const history = ({ decision }: DecisionRecord) => decision?.history.recommendations;
    expect(shadow.map(history)).toEqual(real.map(history));
  });

  it("its records replay to the same bytes", async () => {
    const world = shadowed(LARGER);
    await world.slots(12);
    expect((await recordsIn(world, "shadow")).map((record) => replay(record).result)).toEqual(
      Array.from({ length: 12 }, () => "same"),
    );
  });

  it("keeps its windows: what it recommended itself, not what the real one did", async () => {
    const slow = SAME.replace(
      "scaleDown: { stabilizationWindowSeconds: 10 }",
      "scaleDown: { stabilizationWindowSeconds: 120 }",
    );
    const world = shadowed(slow);
    await world.slots(20);
    const at = (seconds: number) => seconds / 15;
    const shadow = await recordsIn(world, "shadow");
    // The real one goes to 1 at 120 s; the shadow recommended ten until 105 s, and would hold it to 210 s.
    expect(shadow[at(120)]?.decision?.desiredReplicas).toBe(10);
    expect(shadow[at(120)]?.shadow?.real.to).toBe(1);
    const held = shadow.filter(({ decision }) => decision?.trace.limits?.able === "ScaleDownStabilized");
    expect(held.at(-1)?.atMs).toBe((shadow[at(120)]?.atMs ?? 0) + 90_000);
  });

  it("may look at other metrics, which are read beside the real one's", async () => {
    const memory =
      "{ type: Resource, resource: { name: memory, target: { type: AverageValue, averageValue: 10Mi } } }";
    const world = shadowed(SAME.replace(/ {2}- .*/, `  - ${memory}`));
    await world.slots(3);
    const [real, shadow] = [await recordsIn(world, "real"), await recordsIn(world, "shadow")];
    const names = (records: DecisionRecord[]) =>
      records.map(({ decision }) => decision?.trace.metrics.map(({ name }) => name));
    expect(names(real)).toEqual([["cpu"], ["cpu"], ["cpu"]]);
    expect(names(shadow)).toEqual([["memory"], ["memory"], ["memory"]]);
    // 20 MiB idle at 10 MiB a pod.
    expect(shadow[2]?.decision?.desiredReplicas).toBe(2);
  });

  it("at rest writes no state of its own, and reads its ConfigMap once a minute", async () => {
    const quiet = async (world: World) => {
      await world.slots(20);
      const calls: string[] = [];
      world.interrupt = (call, when) => {
        if (when === "before") calls.push(call);
      };
      Object.assign(world.deps, { ledger: undefined });
      await world.slots(40);
      return (name: string) => calls.filter((call) => call === name).length;
    };
    const [plain, shadow] = [await quiet(tutorialWorld()), await quiet(shadowed(SAME))];
    expect(shadow("table.put")).toBe(plain("table.put"));
    // Ten minutes of slots.
    expect(shadow("hub.get") - plain("hub.get")).toBe(10);
  });

  it.each([
    ["is not there", undefined, /^there is no ConfigMap default\/next; create it or remove the annotation$/],
    ["has no entry", {}, /^ConfigMap next: data needs one entry with a FederatedHPA's spec, and has 0$/],
    ["has two entries", { a: SAME, b: SAME }, /and has 2$/],
    ["is no YAML", { spec: "a: [" }, /^ConfigMap next: spec: not YAML: unexpected end/],
    ["is no spec", { spec: "text" }, /^ConfigMap next: spec is no spec of a FederatedHPA$/],
    ["has a broken field", { spec: "maxReplicas: many" }, /^ConfigMap next: spec: spec\.maxReplicas: /],
    [
      "has bounds that cross",
      { spec: SAME.replace("minReplicas: 1", "minReplicas: 11") },
      /^ConfigMap next: spec: .*minReplicas/,
    ],
    [
      "has another target",
      { spec: `${SAME}scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: other }` },
      /scaleTargetRef is Deployment other, the real one Deployment nginx; leave it out$/,
    ],
  ])("that %s is told by an Event, and the real decision goes on", async (_case, data, sentence) => {
    const world = shadowed(SAME);
    const { hub } = world.fleet;
    const type = hub.catalogue.findKind("v1", "ConfigMap");
    if (type) hub.delete(type, { namespace: "default", name: "next" }, { nowMs: world.clock.nowMs() });
    if (data !== undefined) write(world, "next", data as Record<string, string>);
    await world.slots(16);
    expect(steps(world)).toEqual([
      [1, 5],
      [5, 10],
      [10, 1],
    ]);
    const [event, another] = world.events("ShadowInvalid");
    expect([event?.message ?? event?.note, another]).toEqual([expect.stringMatching(sentence), undefined]);
    const [first] = await recordsIn(world, "shadow");
    expect(first).toMatchObject({
      result: "invalid",
      message: expect.stringMatching(sentence),
      inputs: { replayable: false },
    });
  });

  it("another ConfigMap starts anew, none forgets it", async () => {
    const world = shadowed(LARGER);
    await world.slots(8);
    expect(world.state()?.shadow).toMatchObject({ configMap: "next" });
    write(world, "other", { spec: SAME });
    world.annotate({ "mainsheet.io/shadow": "other" });
    await world.slot();
    const { shadow } = world.state() ?? {};
    expect(shadow?.configMap).toBe("other");
    expect(shadow?.history.recommendations.every(({ firstMs }) => firstMs === world.clock.nowMs())).toBe(
      true,
    );
    expect(shadow?.history.scaleUpEvents.length).toBeGreaterThan(0);
    world.annotate({ "mainsheet.io/shadow": null as unknown as string });
    await world.slot();
    expect(world.state()?.shadow).toBeUndefined();
  });

  it("an observed object has one too, and nothing is written to the hub", async () => {
    const world = shadowed(SAME, { mode: "observe" });
    const writes: string[] = [];
    world.interrupt = (call) => {
      if (/updateScale|mergePatch|create/.test(call)) writes.push(call);
    };
    await world.slots(8);
    expect(writes).toEqual([]);
    expect(await recordsIn(world, "shadow")).toHaveLength(8);
  });

  it("by default is kept where it, or the real one, says something new", async () => {
    const world = shadowed(LARGER);
    Object.assign(world.deps, {
      ledger: { choice: "changes", retentionSeconds: 86_400, compression: brotli },
    });
    await world.slots(60);
    const shadow = await recordsIn(world, "shadow");
    const real = await recordsIn(world, "real");
    expect(shadow.length).toBeLessThan(20);
    const instants = new Set(shadow.map(({ atMs }) => atMs));
    expect(real.every(({ atMs }) => instants.has(atMs))).toBe(true);
  });

  it("remembers the same as the real one of its spec, whatever write of a scale an invocation dies at", {
    timeout: 60_000,
  }, async () => {
    const watched = shadowed(SAME, { loadSeconds: 600 });
    await watched.slots(4);
    const calls: string[] = [];
    watched.interrupt = (call, when) => calls.push(`${call} ${when}`);
    await watched.slot();
    const writes = calls.flatMap((call, index) => (/put|updateScale|Patch|create/.test(call) ? [index] : []));
    expect(writes.length).toBeGreaterThan(12);

    const apart: string[] = [];
    for (const index of writes) {
      const world = shadowed(SAME, { loadSeconds: 600 });
      await world.slots(4);
      let seen = 0;
      world.interrupt = () => {
        seen += 1;
        if (seen === index + 1) throw new Error("crash");
      };
      // The sweep may be what dies; its duplicate is not played here.
      await world.slot().catch(() => {});
      world.interrupt = () => {};
      await world.slots(10);
      const { history, shadow } = world.state() ?? {};
      const real = [history?.recommendations, history?.scaleUpEvents, history?.scaleDownEvents];
      const others = [
        shadow?.history.recommendations,
        shadow?.history.scaleUpEvents,
        shadow?.history.scaleDownEvents,
      ];
      if (JSON.stringify(others) !== JSON.stringify(real)) apart.push(`${index} ${calls[index]}`);
    }
    expect(apart).toEqual([]);
  });
});
