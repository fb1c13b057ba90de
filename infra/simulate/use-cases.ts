import { hubExternalMetrics } from "#adapters/kubernetes/external-metrics";
import { memoryBus } from "#adapters/memory/bus";
import { type MemoryClock, memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { memoryQueue } from "#adapters/memory/queue";
import { type MemoryTable, memoryTable } from "#adapters/memory/table";
import type { CronDeps } from "#app/cron/deps";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { hubCache } from "#app/load/context";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { openReconcile, type ReconcileMessage } from "#app/reconcile/open-reconcile";
import { sweep } from "#app/sweep";
import type { decideScale } from "#domain/scale/decide";
import type { Policy } from "#domain/scale/policy";
import { groupBy } from "#domain/units/group";
import { TOPOLOGY } from "#infra/topology";
import type { Log } from "#ports/log";
import type { Message } from "#ports/queue";
import type { Fleet } from "#sim/fleet";
import { fleetPartition, slotSortKey } from "#wire/keys";

/** The hub's name in the table's keys. */
export const SIMULATED_HUB = "simulated";

export interface UseCasesOptions {
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly fromMs: number;
  readonly decide: typeof decideScale;
  readonly log: Log;
}

/** What the functions do, slot by slot, over the reference adapters in this process. */
export interface UseCases {
  readonly table: MemoryTable;
  /** Sweeps the hub at the slot, evaluates its cron rules where `withCron`, and works every message to its end. */
  work(slotMs: number, withCron: boolean): Promise<void>;
}

const [{ batchSize }] = TOPOLOGY.functions.reconcile.triggers;
const MARK_MS = 3_600_000;
const FIRST_DELIVERY = { receiveCount: 1, isOutOfTime: () => false };

export function openUseCases({ fleet, policy, fromMs, decide, log }: UseCasesOptions): UseCases {
  const clock: MemoryClock = memoryClock(fromMs);
  const table = memoryTable({ clock });
  const queue = memoryQueue({ clock, queues: { reconcile: { fifo: true } } });
  const port = memoryKubernetes(fleet, clock);
  const external = { hub: hubExternalMetrics(port) };
  const hubs = { [SIMULATED_HUB]: { port, cache: hubCache(port), external, mode: "active" } } as const;
  const shared = { clock, table, queue, hubs, log, ids: memoryIds() };
  const bus = memoryBus();
  const cron: CronDeps = { ...shared, bus };
  const reconcile: ReconcileDeps = { ...shared, bus, policy, logDecisions: "changes", decide };
  const { syncPeriodSeconds } = policy;

  return {
    table,
    async work(slotMs, withCron) {
      clock.set(slotMs);
      await forgetSlot(slotMs - MARK_MS);
      await sweep({ ...shared, syncPeriodSeconds }, { v: 1, kind: "slot", hub: SIMULATED_HUB, slotMs });
      if (withCron) {
        const message = { v: 1, kind: "cron", hub: SIMULATED_HUB, dueAtMs: slotMs } as const;
        await evaluateHub(cron, message, FIRST_DELIVERY);
      }
      for (let sent = queue.take("reconcile"); sent.length > 0; sent = queue.take("reconcile")) {
        for (let i = 0; i < sent.length; i += batchSize) await invoke(sent.slice(i, i + batchSize));
      }
      // Nobody listens; kept, a month's events would fill the memory.
      bus.take();
    },
  };

  /** The mark of a slot that no message can come for any more, as the table's expiry takes it away. */
  function forgetSlot(formerMs: number): Promise<void> {
    return table.delete({ pk: fleetPartition(SIMULATED_HUB), sk: slotSortKey(formerMs) }, { if: "none" });
  }

  /** One invocation: groups side by side, the messages of a group in their order. */
  async function invoke(batch: readonly Message[]): Promise<void> {
    const messages = batch.map((message) => ({ message, body: bodyOf(message) }));
    const bodies = messages.map(({ body }) => body);
    const work = openReconcile(reconcile, bodies, new AbortController().signal);
    const groups = groupBy(messages, ({ message }) => message.groupId ?? "");
    await Promise.all(
      [...groups.values()].map(async (group) => {
        for (const { message, body } of group) {
          await work(body, { messageId: message.deduplicationId ?? "", receiveCount: 1 });
        }
      }),
    );
  }
}

/** The body is our own sweep's or cron's, of this process. */
function bodyOf({ body }: Message): ReconcileMessage {
  return JSON.parse(body) as ReconcileMessage;
}
