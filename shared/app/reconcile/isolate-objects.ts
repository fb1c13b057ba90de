import { shortId } from "#domain/units/short-id";
import type { ObjectKey } from "#domain/work/shards";
import { PortFault } from "#ports/fault";
import { beatSortKey, fleetPartition } from "#wire/keys";
import { decodeBeat, encodeBeat, replaces } from "#wire/state";
import type { ObjectMessage, ShardMessage } from "#wire/work";
import type { ReconcileDeps } from "./deps.ts";

/** Long enough for the culprit to crash three times (design 1, "Crashes") while the others go on. */
const ISOLATE_MS = 5 * 60_000;

/**
 * After an invocation died on a shard: evaluates its objects one by one, this time and for five minutes, so that only
 * the culprit can die again and the others go on.
 */
export async function isolateShard(deps: ReconcileDeps, message: ShardMessage): Promise<void> {
  const { hub, shard } = message;
  const nowMs = deps.clock.nowMs();
  const key = { pk: fleetPartition(hub), sk: beatSortKey(shard) };
  const beat = decodeBeat(await deps.table.get(key, { nowMs, consistent: true }));
  const isolated = { ...(beat ?? { lastMs: 0 }), isolateUntilMs: nowMs + ISOLATE_MS };
  await deps.table.put(encodeBeat(hub, shard, beat, isolated, deps.ids.next()), replaces(beat));
  await sendObjects(deps, message, true);
  deps.log.warn("an invocation died on this shard; its objects are evaluated one by one", {
    hub,
    shard,
    objects: message.objects.length,
  });
}

/** The queue's group of an object that is evaluated on its own, before `shortId`. */
export function objectGroup(hub: string, { namespace, name }: ObjectKey): string {
  return `${hub}:o/${namespace}/${name}`;
}

/** One message for each object of a shard, each in its own group. */
export async function sendObjects(
  deps: ReconcileDeps,
  message: ShardMessage,
  afterCrash: boolean,
): Promise<void> {
  const { hub, shard, dueAtMs, objects } = message;
  const messages = objects.map((object) => {
    const body: ObjectMessage = { v: 1, kind: "object", hub, dueAtMs, object, afterCrash };
    const group = objectGroup(hub, object);
    return {
      body: JSON.stringify(body),
      groupId: shortId(group),
      deduplicationId: shortId(`${group}:${dueAtMs}:alone`),
    };
  });
  const failed = await deps.queue.send("reconcile", messages);
  if (failed.length === 0) return;
  throw new PortFault(
    "unavailable",
    `send objects of ${shard}: ${failed.length} not accepted (${failed[0]?.reason})`,
  );
}
