import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { type MemoryTable, memoryTable } from "#adapters/memory/table";
import type { Key } from "#ports/table";
import { openAgenda } from "./agenda.ts";
import { openBus } from "./cloud/bus.ts";
import { type Cloud, openCloud } from "./cloud/cloud.ts";
import type { Invocation } from "./cloud/environments.ts";
import { openRelays, type Relays } from "./cloud/relays.ts";
import type { Fact, Story } from "./facts.ts";
import { type Fault, overAtSeconds } from "./fault.ts";
import { calmAtSeconds, type Plan, SLOT_SECONDS, SLOTS_OF_CALM, START_MS } from "./plan.ts";
import { openGate } from "./ports/gate.ts";
import { gatedKubernetes } from "./ports/gated-kubernetes.ts";
import { laggingTable } from "./ports/gated-table.ts";
import { fairWeather, openWeather } from "./weather.ts";
import { openDeeds } from "./world/deeds.ts";
import { NAMESPACE, objectName } from "./world/documents.ts";
import { distorted } from "./world/samples.ts";
import { openFleet } from "./world/storm-fleet.ts";
import { tellWatched } from "./world/watched.ts";

const STEP_MS = 20;
const LONGEST_WORK_MS = 10_000;

/**
 * Runs a plan on virtual time: ticks, sweeps and reconciles over the memory adapters and a fleet, with the plan's
 * faults, then the calm after them. One thing at a time, in an order that the seed gives.
 */
export async function runStorm(plan: Plan): Promise<Story> {
  const { seed, faults } = plan;
  const agenda = openAgenda(START_MS, seed);
  const facts: Fact[] = [];
  const tell = (fact: Fact) => facts.push(fact);
  const conditions = fairWeather();

  const world = openFleet(plan, agenda, tell);
  const deeds = openDeeds(world.fleet.hub, agenda, world.clusters);
  const kubernetes = memoryKubernetes(world.fleet, agenda);
  const table = memoryTable({ clock: agenda });
  const gate = openGate({
    seed,
    agenda,
    tell,
    crash(by) {
      cloud.crash(by);
      relays.crash(by);
    },
    meddle({ object = "", key }, does, replicas) {
      if (does === "version") bumpVersion(table, key);
      else if (does === "status") deeds.noteStatus(object);
      else if (does === "image") deeds.image(object);
      else deeds.hand(object, replicas);
    },
  });
  const lagging = laggingTable(
    table,
    agenda,
    () => conditions.lagMs,
    ({ pk, sk }) => {
      const [, , object = ""] = pk.split("#");
      const [kind, shard] = sk.split("#");
      const about = { what: "stale-read", atMs: agenda.nowMs(), object } as const;
      tell(kind === "beat" && shard !== undefined ? { ...about, shard } : about);
    },
  );
  const hubOf = (by: () => Invocation, through = gate) =>
    gatedKubernetes({
      port: kubernetes,
      by,
      gate: through,
      clock: agenda,
      tell,
      distort: (member, items) => distorted(items, conditions.distortions.get(member)),
      writing: world.writing,
    });
  const cloud: Cloud = openCloud({
    seed,
    agenda,
    tell,
    gate,
    table: lagging,
    hubOf,
    decides(by, object) {
      if (conditions.poisoned.has(object)) cloud.crash(by);
    },
  });
  const bus = openBus({ seed, agenda, cloud, tell });
  const { store } = world.fleet.hub;
  const port = kubernetes;
  const relays: Relays = openRelays({ seed, agenda, tell, gate, table: lagging, hubOf, port, store, bus });
  const weather = openWeather({ agenda, gate, cloud, world, deeds, bus, relays, conditions });
  if (faults.some(isRelayStart)) tellWatched(store, agenda, tell);

  const calmMs = START_MS + calmAtSeconds(plan) * 1000;
  const endMs = calmMs + SLOTS_OF_CALM * SLOT_SECONDS * 1000;
  for (const fault of faults) {
    const isOver = START_MS + overAtSeconds(fault) * 1000 < calmMs;
    if (isOver) agenda.at(START_MS + fault.atSeconds * 1000, () => weather.strike(fault));
  }
  agenda.at(calmMs, () => weather.clear());
  await agenda.runUntil(endMs);
  // What a relay has evaluated is not bound to slots: an evaluation that is under way at the end comes to its own.
  const isWorking = () => [...cloud.pools.values()].some((pool) => pool.isWorking());
  for (let atMs = endMs; isWorking() && atMs < endMs + LONGEST_WORK_MS; atMs += STEP_MS)
    await agenda.runUntil(atMs);
  relays.close();

  return {
    facts,
    culprits: culpritsOf(faults),
    calmMs,
    endMs,
    items: table.items(),
    objects: world.finalObjects(),
    crons: world.finalCrons(),
    waiting: cloud.waiting(),
  };
}

function isRelayStart(fault: Fault): boolean {
  return fault.kind === "relay" && fault.does === "start";
}

function culpritsOf(faults: readonly Fault[]): readonly string[] | undefined {
  if (faults.some((fault) => fault.kind === "crash" && !fault.call.startsWith("relay."))) return undefined;
  return faults.flatMap((fault) =>
    fault.kind === "poison" ? [`${NAMESPACE}/${objectName(fault.object)}`] : [],
  );
}

/** Writes an item anew as it is, under the next version. */
function bumpVersion(table: MemoryTable, key: Key | undefined): void {
  const item = table.items().find(({ pk, sk }) => pk === key?.pk && sk === key.sk);
  if (item === undefined) return;
  table.put({ ...item, version: (item.version ?? 0) + 1, writeId: "another" }, { if: "none" });
}
