import { shortId } from "#domain/units/short-id";
import {
  isSameMode,
  type ObjectKey,
  type Shard,
  type ShardMode,
  shardMode,
  shardsOf,
} from "#domain/work/shards";
import { isLate } from "#domain/work/slots";
import type { Clock } from "#ports/clock";
import { PortFault } from "#ports/fault";
import type { KubernetesPort } from "#ports/kubernetes";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import { fleetPartition, SHARD_MODE, slotSortKey } from "#wire/keys";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";
import { decodeShardMode, encodeShardMode } from "#wire/state";
import type { ShardMessage, SlotMessage, SweptObject } from "#wire/work";

export interface SweepDeps {
  readonly clock: Clock;
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly hubs: Readonly<Record<string, { readonly port: KubernetesPort }>>;
  readonly syncPeriodSeconds: number;
}

export type SweepOutcome =
  | { readonly result: "swept"; readonly objects: number; readonly shards: number }
  | { readonly result: "duplicate" | "late" };

/** Marks outlive every duplicate: two minutes of slots, retries and the queue's own redelivery. */
const MARK_TTL_SECONDS = 900;

/**
 * Finds the hub's FederatedHPAs and sends their shards for one slot. The slot is marked as done only after every
 * entry was accepted: a sweep that dies before is run again by its duplicate, and what it had sent collapses by the
 * de-duplication id (shard, slot).
 */
export async function sweep(deps: SweepDeps, message: SlotMessage): Promise<SweepOutcome> {
  const { hub, slotMs } = message;
  const nowMs = deps.clock.nowMs();
  if (isLate(nowMs, slotMs, deps.syncPeriodSeconds)) return { result: "late" };
  const mark = { pk: fleetPartition(hub), sk: slotSortKey(slotMs) };
  if (await deps.table.get(mark, { nowMs, consistent: true })) return { result: "duplicate" };

  const objects = await federatedHpaKeys(deps, hub);
  const mode = await currentShardMode(deps, hub, objects, nowMs);
  const shards = shardsOf(objects, mode);
  const failed = await deps.queue.send(
    "reconcile",
    shards.map((shard) => shardMessage(hub, slotMs, shard)),
  );
  if (failed.length > 0) {
    throw new PortFault(
      "unavailable",
      `send shards of ${hub} to the reconcile queue: ${failed.length} of ${shards.length} not accepted (${failed[0]?.reason})`,
    );
  }
  const ttl = Math.ceil(nowMs / 1000) + MARK_TTL_SECONDS;
  await deps.table.put({ ...mark, ttl, shards: shards.length, objects: objects.length }, { if: "none" });
  return { result: "swept", objects: objects.length, shards: shards.length };
}

async function federatedHpaKeys(deps: SweepDeps, hub: string): Promise<SweptObject[]> {
  const port = deps.hubs[hub]?.port;
  if (port === undefined) {
    throw new PortFault(
      "invalid",
      `sweep hub ${hub}: no such hub in MAINSHEET_HUBS; add it or drop the message`,
    );
  }
  const { items } = await port.listMetadata("hub", FEDERATED_HPAS);
  return items.flatMap(({ metadata }) =>
    metadata.namespace && metadata.name
      ? [
          {
            namespace: metadata.namespace,
            name: metadata.name,
            uid: metadata.uid,
            generation: metadata.generation,
          },
        ]
      : [],
  );
}

async function currentShardMode(
  deps: SweepDeps,
  hub: string,
  objects: readonly ObjectKey[],
  nowMs: number,
): Promise<ShardMode> {
  const key = { pk: fleetPartition(hub), sk: SHARD_MODE };
  const former = decodeShardMode(await deps.table.get(key, { nowMs, consistent: true }));
  const mode = shardMode(objects, former);
  if (!isSameMode(mode, former)) {
    await deps.table.put(encodeShardMode(hub, mode), { if: "none" });
  }
  return mode;
}

function shardMessage(hub: string, slotMs: number, shard: Shard<SweptObject>) {
  const body: ShardMessage = {
    v: 1,
    kind: "shard",
    hub,
    shard: shard.id,
    dueAtMs: slotMs,
    objects: [...shard.objects],
  };
  return {
    body: JSON.stringify(body),
    groupId: shortId(`${hub}:${shard.id}`),
    deduplicationId: shortId(`${hub}:${shard.id}:${slotMs}`),
  };
}
