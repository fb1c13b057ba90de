import { memoryBus } from "#adapters/memory/bus";
import { memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { memoryQueue } from "#adapters/memory/queue";
import { memoryTable } from "#adapters/memory/table";
import { hubCache } from "#app/load/context";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { openReconcile, type ReconcileMessage } from "#app/reconcile/open-reconcile";
import { sweep } from "#app/sweep";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { nextSlot } from "#domain/work/slots";
import { readScenario } from "#infra/local/scenario-file";
import { TOPOLOGY } from "#infra/topology";
import type { Log } from "#ports/log";
import type { Message } from "#ports/queue";
import type { Fleet } from "#sim/fleet";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";
import { type Count, countedKubernetes, countedQueue, countedTable } from "#test/bench/counted-ports";
import { parseReconcileMessage } from "#wire/work";

export interface FleetSize {
  readonly objects: number;
  readonly namespaces: number;
}

/** What one sweep of all objects cost. */
export interface SweepCost {
  /** Requests by what they were; see `counted-ports`. */
  readonly requests: ReadonlyMap<string, number>;
  readonly shards: number;
  readonly invocations: number;
  /** Of this process, with what the fleet needs to answer. */
  readonly cpuMsWithFleet: number;
}

const HUB = "bench";
const { syncPeriodSeconds } = DEFAULT_POLICY;
const [{ batchSize, maxConcurrency }] = TOPOLOGY.functions.reconcile.triggers;

/**
 * Opens the scenario `many` and returns what sweeps it once: each call is one slot further on. The use cases are the
 * functions' own. Each invocation gets as many messages as the queue's batch holds, and runs in one of `maxConcurrency`
 * environments, each with a cache of its own that lasts. Throws if any object comes to anything but "unchanged".
 */
export function openSweeps({ objects, namespaces }: FleetSize): () => Promise<SweepCost> {
  const { fleet, startMs } = fleetOf(objects, namespaces);
  const clock = memoryClock(startMs);
  const queue = memoryQueue({ clock, queues: { reconcile: { fifo: true } } });
  const requests = new Map<string, number>();
  const count: Count = (what, by = 1) => requests.set(what, (requests.get(what) ?? 0) + by);

  const port = countedKubernetes(memoryKubernetes(fleet, clock), count);
  const table = countedTable(memoryTable({ clock }), count);
  const counted = countedQueue(queue, count);
  const outcomes = unchangedCounter();
  const environments = Array.from({ length: maxConcurrency }, (): ReconcileDeps => {
    const hub = { port, cache: hubCache(port), mode: "active" } as const;
    const { log } = outcomes;
    return {
      clock,
      ids: memoryIds(),
      log,
      table,
      queue: counted,
      bus: memoryBus(),
      hubs: { [HUB]: hub },
      policy: DEFAULT_POLICY,
      logDecisions: "changes",
    };
  });

  let slotMs = nextSlot(startMs, syncPeriodSeconds);
  return async () => {
    slotMs += syncPeriodSeconds * 1000;
    clock.set(slotMs);
    fleet.step(slotMs);
    requests.clear();
    const startedAt = process.cpuUsage();
    const deps = { clock, table, queue: counted, hubs: { [HUB]: { port } }, syncPeriodSeconds };
    await sweep(deps, { v: 1, kind: "slot", hub: HUB, slotMs });
    const messages = queue.take("reconcile");
    const batches = batchesOf(messages);
    await Promise.all(
      batches.map((batch, i) => invoke(environments[i % maxConcurrency] as ReconcileDeps, batch)),
    );
    const { user, system } = process.cpuUsage(startedAt);
    outcomes.check(objects, slotMs);
    return {
      requests: new Map(requests),
      shards: messages.length,
      invocations: batches.length,
      cpuMsWithFleet: (user + system) / 1000,
    };
  };
}

function fleetOf(objects: number, namespaces: number): { readonly fleet: Fleet; readonly startMs: number } {
  const scenario = readScenario("many", { copies: { count: objects, namespaces } });
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const loaded = loadScenario(scenario.value, { admission: KARMADA_WEBHOOKS });
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  return { fleet: loaded.fleet, startMs: scenario.value.startMs };
}

function batchesOf(messages: readonly Message[]): ReconcileMessage[][] {
  const parsed = messages.map(({ body }) => {
    const message = parseReconcileMessage(body);
    if (!message.ok) throw new Error(message.fault);
    return message.value;
  });
  return Array.from({ length: Math.ceil(parsed.length / batchSize) }, (_, i) =>
    parsed.slice(i * batchSize, (i + 1) * batchSize),
  );
}

/** Within one slot every message has a group of its own, so that all of a batch run side by side. */
async function invoke(deps: ReconcileDeps, batch: readonly ReconcileMessage[]): Promise<void> {
  const work = openReconcile(deps, batch, new AbortController().signal);
  await Promise.all(batch.map((message, i) => work(message, { messageId: String(i), receiveCount: 1 })));
}

/** Counts the objects that the reconcile's own log calls unchanged; every other word of it is kept as a fault. */
function unchangedCounter(): { readonly log: Log; check(objects: number, slotMs: number): void } {
  let unchanged = 0;
  let other: string[] = [];
  const note = (message: string, fields: Record<string, unknown>): void => {
    if (message === "reconciled") unchanged += Number(fields.unchanged ?? 0);
    else other.push(`${message} ${JSON.stringify(fields)}`);
  };
  return {
    log: { info: note, warn: note, error: note },
    check(objects, slotMs) {
      if (unchanged !== objects) {
        throw new Error(
          `slot ${slotMs}: ${unchanged} of ${objects} objects unchanged; the first of the others: ${other[0]}`,
        );
      }
      unchanged = 0;
      other = [];
    },
  };
}
