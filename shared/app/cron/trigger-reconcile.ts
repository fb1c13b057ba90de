import { shortId } from "#domain/units/short-id";
import { shardOf } from "#domain/work/shards";
import { isPortFault } from "#ports/fault";
import { fleetPartition, SHARD_MODE } from "#wire/keys";
import { decodeShardMode } from "#wire/state";
import type { ObjectMessage } from "#wire/work";
import type { CronDeps, CronTurn } from "./deps.ts";

/**
 * Has the FederatedHPA whose bounds were set reconciled at once, in its shard's group. The instant is one millisecond
 * on, so that a slot of this very instant, which may have read the former bounds, does not make it stale. Where it
 * cannot be sent, the next slot does the same.
 */
export async function triggerReconcile(deps: CronDeps, turn: CronTurn): Promise<void> {
  const { hub, namespace } = turn.id;
  const object = { namespace, name: turn.object.scaleTargetRef.name };
  const dueAtMs = deps.clock.nowMs() + 1;
  try {
    const key = { pk: fleetPartition(hub), sk: SHARD_MODE };
    const mode = decodeShardMode(await deps.table.get(key, { nowMs: deps.clock.nowMs() }));
    const shard = shardOf(object, mode);
    const group = `${hub}:${shard}`;
    const body: ObjectMessage = { v: 1, kind: "object", hub, dueAtMs, object, shard, afterCrash: false };
    const [failed] = await deps.queue.send("reconcile", [
      {
        body: JSON.stringify(body),
        groupId: shortId(group),
        deduplicationId: shortId(`${group}:${namespace}/${object.name}:cron:${dueAtMs}`),
      },
    ]);
    if (failed !== undefined) missed(failed.reason);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    missed(error.message);
  }

  function missed(fault: string): void {
    deps.log.warn("reconcile not sent after a cron run; the next slot evaluates the new bounds", {
      ...turn.id,
      federatedHpa: object.name,
      fault,
    });
  }
}
