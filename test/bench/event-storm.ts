import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AwsHostEvent } from "#infra/local/aws-host";
import { type Host, startHost } from "#infra/local/host";
import { busOf, eventScenario, nameOf, namespaceOf, setLoad } from "#test/bench/event-fleet";
import { routeMemory } from "#test/bench/event-memory";
import type { Measurement, Section } from "#test/bench/section";
import { mainsheetEvent } from "#wire/events";

const OBJECTS = 50;
const EVENTS = 10_000;
const STORM_MS = 10_000;
/** What PutEvents takes at once. */
const BATCH = 10;
const START_MS = Date.UTC(2026, 2, 2, 8, 59, 58);
const WARM_UP_MS = 6_000;
const FLOOR_MS = 3_000;
const SLOT_MS = 15_000;
const DRAINED_WITHIN_MS = 60_000;

/**
 * 10,000 events in 10 s about 50 objects, whose loads change all the while, in the local host at speed 1. Throws unless
 * each object was evaluated for events no more often than its floor allows, the last load of each has won, and nothing is
 * parked. The memory is measured apart, where an environment is a process of its own.
 */
export const eventStorm: Section = {
  name: "event-storm",
  run: async () => [await wholeFlow(), await routeMemory(EVENTS, OBJECTS, STORM_MS)],
};

async function wholeFlow(): Promise<Measurement> {
  const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-bench-storm-"));
  const seen = { evaluations: new Map<string, number[]>(), parked: 0 };
  const host = await startHost({
    hub: {
      ...{ kind: "embedded", startMs: START_MS, speed: 1, webhooks: false, port: 0 },
      scenario: eventScenario(OBJECTS, START_MS),
    },
    dataDir,
    logDecisions: "all",
    observe: (event) => observe(event, seen),
  });
  const ended = host.clock.runUntil(Number.POSITIVE_INFINITY);
  const { bus, close } = busOf(host);
  try {
    await sleep(WARM_UP_MS);
    const startedAt = performance.now();
    for (let n = 0; n < EVENTS; n += BATCH) {
      await sleep(Math.max(0, startedAt + (n / EVENTS) * STORM_MS - performance.now()));
      const round = Math.floor(n / OBJECTS);
      const events = Array.from({ length: BATCH }, (_, k) => {
        const i = (n + k) % OBJECTS;
        if (k === 0) setLoad(fleetOf(host), i, 2 + (round % 3), host.clock.nowMs());
        const about = { namespace: namespaceOf(i), name: nameOf(i) };
        const detail = { v: 1, id: `storm-${n + k}`, hub: "local", ...about } as const;
        return mainsheetEvent("ReconcileRequested", detail, host.clock.nowMs());
      });
      if (n >= EVENTS - OBJECTS)
        for (let k = 0; k < BATCH; k++) setLoad(fleetOf(host), (n + k) % OBJECTS, 4, host.clock.nowMs());
      const failed = await bus.put(events);
      if (failed.length > 0) throw new Error(`event ${n}: ${failed[0]?.reason}`);
    }
    const tookMs = performance.now() - startedAt;
    await drained(host);
    await sleep(FLOOR_MS + 1_000);
    await drained(host);
    const drainedMs = performance.now() - startedAt;
    return {
      events: EVENTS,
      objects: OBJECTS,
      putWithinMs: Math.round(tookMs),
      drainedWithinMs: Math.round(drainedMs),
      ...judged(host, seen),
    };
  } finally {
    close();
    host.clock.stop();
    await ended;
    await host.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Seen {
  /** By object: the instants of its evaluations for events. */
  readonly evaluations: Map<string, number[]>;
  parked: number;
}

function observe(event: AwsHostEvent, seen: Seen): void {
  if (event.kind !== "log" || !event.line.startsWith("{")) return;
  const { message, object, atMs } = JSON.parse(event.line) as Record<string, unknown>;
  if (String(message).startsWith("message parked")) seen.parked += 1;
  if (message !== "decision" || Number(atMs) % SLOT_MS === 0) return;
  const instants = seen.evaluations.get(String(object)) ?? [];
  instants.push(Number(atMs));
  seen.evaluations.set(String(object), instants);
}

function judged(host: Host, { evaluations, parked }: Seen): Record<string, number> {
  const gaps = [...evaluations.values()].flatMap((instants) =>
    instants.slice(1).map((atMs, n) => atMs - (instants[n] ?? 0)),
  );
  const smallestGapMs = Math.min(...gaps);
  if (smallestGapMs < FLOOR_MS)
    throw new Error(`two evaluations ${smallestGapMs} ms apart; the floor is ${FLOOR_MS}`);
  if (parked > 0) throw new Error(`${parked} messages parked`);
  const deployments = fleetOf(host).hub.store.list({ group: "apps", resource: "deployments" });
  const wrong = deployments.filter(({ spec }) => spec?.replicas !== 4);
  if (evaluations.size !== OBJECTS || wrong.length > 0) {
    throw new Error(
      `${evaluations.size} objects evaluated, ${wrong.length} without the last load's replicas`,
    );
  }
  const total = [...evaluations.values()].reduce((sum, { length }) => sum + length, 0);
  return { evaluationsForEvents: total, smallestGapMs, parked };
}

function fleetOf({ fleet }: Host) {
  if (fleet === undefined) throw new Error("the host has no fleet");
  return fleet.fleet;
}

async function drained(host: Host): Promise<void> {
  const untilMs = performance.now() + DRAINED_WITHIN_MS;
  const waits = () =>
    Object.entries(host.aws.statistics().queues).some(
      ([name, { visible, inFlight, delayed }]) =>
        (name === "route" && delayed > 0) ||
        (["route", "reconcile"].includes(name) && visible + inFlight > 0),
    );
  while (waits()) {
    if (performance.now() > untilMs) throw new Error("the queues are not empty a minute after the storm");
    await sleep(50);
  }
}
