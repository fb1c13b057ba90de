import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Host, startHost } from "#infra/local/host";
import { busOf, eventScenario, nameOf, namespaceOf, onScale, setLoad } from "#test/bench/event-fleet";
import type { Measurement, Section } from "#test/bench/section";
import { mainsheetEvent } from "#wire/events";

const OBJECTS = 60;
/** Two seconds before a slot, so that every object is known before the first event. */
const START_MS = Date.UTC(2026, 2, 2, 8, 59, 58);
const WARM_UP_MS = 6_000;
const EVENTS = 240;
/** One object's events are ten seconds apart, by the host's clock: its floor is three. */
const EVERY_MS = 10_000 / OBJECTS;
/** One jump of each object, spread over a slot: two would undo each other unseen. */
const ALONE_EVERY_MS = 15_000 / OBJECTS;
/** A slot and what it takes to work it. */
const LAST_SLOT_MS = 20_000;

/**
 * From a jump of the load to the scale on the hub, in the local host at speed 1 with the real functions behind real
 * buses, queues, table and hub over HTTP, by the wall: with an event on the bus at the jump, and with the schedule alone.
 */
export const eventsSection: Section = {
  name: "events",
  run: async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-bench-events-"));
    const scenario = eventScenario(OBJECTS, START_MS);
    const host = await startHost({
      // Without webhooks, which would add cpu to each object's metrics.
      hub: { kind: "embedded", scenario, startMs: START_MS, speed: 1, webhooks: false, port: 0 },
      dataDir,
      logDecisions: "changes",
      observe: () => {},
    });
    const ended = host.clock.runUntil(Number.POSITIVE_INFINITY);
    try {
      await sleep(WARM_UP_MS);
      const withEvents = await jumps(host, { count: EVENTS, everyMs: EVERY_MS, withEvent: true });
      const alone = await jumps(host, { count: OBJECTS, everyMs: ALONE_EVERY_MS, withEvent: false });
      return [withEvents, alone];
    } finally {
      host.clock.stop();
      await ended;
      await host.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

interface Jumps {
  readonly count: number;
  readonly everyMs: number;
  readonly withEvent: boolean;
}

/** Moves the load of each object in turn between three and two replicas' worth, and waits for each one's scale. */
async function jumps(host: Host, { count, everyMs, withEvent }: Jumps): Promise<Measurement> {
  const fleet = host.fleet?.fleet;
  if (fleet === undefined) throw new Error("the host has no fleet");
  const { bus, close } = busOf(host);
  const wanted = new Map<string, { readonly replicas: number; readonly atMs: number }>();
  const tookMs: number[] = [];
  const unsubscribe = onScale(fleet, (object, replicas) => {
    const jump = wanted.get(object);
    if (jump?.replicas !== replicas) return;
    wanted.delete(object);
    tookMs.push(performance.now() - jump.atMs);
  });
  const replicasOf = new Map<number, number>();
  const startMs = host.clock.nowMs();
  try {
    for (let n = 0; n < count; n++) {
      while (host.clock.nowMs() < startMs + n * everyMs) await sleep(2);
      const i = n % OBJECTS;
      const replicas = replicasOf.get(i) === 3 ? 2 : 3;
      replicasOf.set(i, replicas);
      const [namespace, name] = [namespaceOf(i), nameOf(i)];
      const nowMs = host.clock.nowMs();
      wanted.set(`${namespace}/${name}`, { replicas, atMs: performance.now() });
      setLoad(fleet, i, replicas, nowMs);
      if (!withEvent) continue;
      const detail = { v: 1, id: `jump-${n}`, hub: "local", namespace, name } as const;
      const failed = await bus.put([mainsheetEvent("ReconcileRequested", detail, nowMs)]);
      if (failed.length > 0) throw new Error(`event ${n}: ${failed[0]?.reason}`);
    }
    const untilMs = host.clock.nowMs() + LAST_SLOT_MS;
    while (wanted.size > 0 && host.clock.nowMs() < untilMs) await sleep(50);
  } finally {
    unsubscribe();
    close();
  }
  if (tookMs.length !== count) throw new Error(`${tookMs.length} scales of ${count} jumps`);
  return {
    trigger: withEvent ? "event" : "schedule of 15 s alone",
    objects: OBJECTS,
    jumps: count,
    ...spread(tookMs),
  };
}

function spread(tookMs: readonly number[]): Record<string, number> {
  const sorted = tookMs.map(Math.round).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), largestMs: at(1) };
}
