import { describe, expect, it } from "vitest";
import { memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryQueue } from "#adapters/memory/queue";
import { memoryTable } from "#adapters/memory/table";
import { openRouteMemory } from "#app/route/memory";
import { openRoute } from "#app/route/open-route";
import { type EventMessage, parseRouteMessage, type RouteMessage } from "#wire/work";
import { requested } from "./event-world.ts";

const START_MS = Date.parse("2026-03-02T09:00:00Z");
const OBJECTS = 50;
const EVENTS = 10_000;
const STORM_MS = 10_000;
const FLOOR_MS = 3_000;
/** Environments that work side by side, each with a memory of its own. */
const ENVIRONMENTS = 5;

describe("a storm of 10,000 events in 10 s about 50 objects", () => {
  it("evaluates each object no more often than its floor allows, and last after its last event", async () => {
    const clock = memoryClock(START_MS);
    const table = memoryTable({ clock });
    const queue = memoryQueue({ clock, queues: { route: { fifo: false }, reconcile: { fifo: true } } });
    const complain = (message: string) => {
      throw new Error(message);
    };
    const deps = {
      clock,
      ids: memoryIds(),
      log: { info: complain, warn: complain, error: complain },
      table,
      queue,
    };
    const memories = Array.from({ length: ENVIRONMENTS }, () => openRouteMemory(clock));
    const evaluatedMs = new Map<string, number[]>();
    const lastEventMs = new Map<string, number>();
    const held: { readonly dueMs: number; readonly body: string }[] = [];

    /** One invocation in each of some environments, side by side. */
    async function work(batches: readonly (readonly string[])[]): Promise<void> {
      await Promise.all(
        batches.map(async (bodies, n) => {
          const memory = memories[n % ENVIRONMENTS] ?? openRouteMemory(clock);
          const workOne = openRoute({ ...deps, memory, hubs: ["local"] });
          await Promise.all(bodies.map((body) => workOne(read(body), { receiveCount: 1 })));
        }),
      );
      for (const { body, delaySeconds = 0 } of queue.take("route"))
        held.push({ body, dueMs: clock.nowMs() + delaySeconds * 1000 });
      for (const { body } of queue.take("reconcile")) {
        const { name } = (JSON.parse(body) as EventMessage).object;
        evaluatedMs.set(name, [...(evaluatedMs.get(name) ?? []), clock.nowMs()]);
      }
    }
    async function pass(untilMs: number): Promise<void> {
      held.sort((a, b) => a.dueMs - b.dueMs);
      for (let next = held[0]; next !== undefined && next.dueMs <= untilMs; next = held[0]) {
        held.shift();
        clock.set(Math.max(clock.nowMs(), next.dueMs));
        await work([[next.body]]);
      }
      clock.set(untilMs);
    }

    for (let n = 0; n < EVENTS; n += 10 * ENVIRONMENTS) {
      await pass(START_MS + Math.floor((n / EVENTS) * STORM_MS));
      const batches = Array.from({ length: ENVIRONMENTS }, (_, b) =>
        Array.from({ length: 10 }, (_, k) => {
          // Neighbours in time are about the same object, in several environments at once.
          const name = `web-${Math.floor((n + b * 10 + k) / 7) % OBJECTS}`;
          lastEventMs.set(name, clock.nowMs());
          return JSON.stringify(requested({ id: `storm-${n + b * 10 + k}`, namespace: "shop", name }));
        }),
      );
      await work(batches);
    }
    await pass(START_MS + 60_000);

    expect(evaluatedMs.size).toBe(OBJECTS);
    expect(held).toEqual([]);
    for (const [name, instants] of evaluatedMs) {
      const gaps = instants.slice(1).map((atMs, i) => atMs - (instants[i] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(FLOOR_MS);
      expect(instants.at(-1)).toBeGreaterThanOrEqual(lastEventMs.get(name) ?? Number.POSITIVE_INFINITY);
    }
    // At once, at the end of each of three floors, and perhaps once more.
    const counts = [...evaluatedMs.values()].map(({ length }) => length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  }, 60_000);
});

function read(body: string): RouteMessage {
  const parsed = parseRouteMessage(body);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.value;
}
