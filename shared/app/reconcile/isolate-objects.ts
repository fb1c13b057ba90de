import { shortId } from "#domain/units/short-id";
import { PortFault } from "#ports/fault";
import type { ObjectMessage, ShardMessage } from "#wire/work";
import type { ReconcileDeps } from "./deps.ts";

/**
 * After an invocation died on a shard: one message for each of its objects, in the same group, so that what follows
 * stays behind them and only the culprit can die again.
 */
export async function isolateObjects(deps: ReconcileDeps, message: ShardMessage): Promise<void> {
  const { hub, shard, dueAtMs } = message;
  const group = `${hub}:${shard}`;
  const messages = message.objects.map(({ namespace, name }) => {
    const body: ObjectMessage = { v: 1, kind: "object", hub, dueAtMs, object: { namespace, name } };
    return {
      body: JSON.stringify(body),
      groupId: shortId(group),
      deduplicationId: shortId(`${group}:${dueAtMs}:${namespace}/${name}`),
    };
  });
  const failed = await deps.queue.send("reconcile", messages);
  if (failed.length > 0) {
    throw new PortFault(
      "unavailable",
      `send objects of ${shard}: ${failed.length} not accepted (${failed[0]?.reason})`,
    );
  }
  deps.log.warn("an invocation died on this shard; its objects are evaluated one by one", {
    hub,
    shard,
    objects: messages.length,
  });
}
