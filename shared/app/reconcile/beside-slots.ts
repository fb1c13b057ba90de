import { type Beat, isIsolated } from "#domain/work/beat";
import { shardOf } from "#domain/work/shards";
import { fleetPartition, type ObjectId, SHARD_MODE } from "#wire/keys";
import { decodeShardMode, type State } from "#wire/state";
import type { ReconcileDeps } from "./deps.ts";

/**
 * Whether an object with a message in a group of its own is evaluated by slots beside it: those of the shard whose
 * heartbeat (`beat`) speaks for it, which are no longer, or not, sent on object by object. What such a slot stores by that
 * heartbeat meets no write of the state, and is lost when the state says meanwhile that no heartbeat speaks for it. A slot
 * from before the isolation's end was sent on, however late its message is worked.
 */
export async function isBesideSlots(
  deps: ReconcileDeps,
  { hub, namespace, name }: ObjectId,
  state: State | undefined,
  beat: Beat | undefined,
  slotMs: number,
): Promise<boolean> {
  const relied = state?.beatShard ?? state?.shadow?.beatShard;
  const nowMs = deps.clock.nowMs();
  if (
    relied === undefined ||
    relied === `o/${namespace}/${name}` ||
    isIsolated(beat, Math.min(nowMs, slotMs))
  )
    return false;
  const key = { pk: fleetPartition(hub), sk: SHARD_MODE };
  const mode = decodeShardMode(await deps.table.get(key, { nowMs, consistent: true }));
  return shardOf({ namespace, name }, mode) === relied;
}
