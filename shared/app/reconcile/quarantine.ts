import { park } from "#app/park";
import type { Condition, FederatedHpa } from "#domain/spec/federated-hpa";
import { isPortFault } from "#ports/fault";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import type { ObjectId } from "#wire/keys";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";
import { newState } from "#wire/state";
import type { ObjectMessage } from "#wire/work";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { emitEvents } from "./emit-events.ts";
import type { Delivery } from "./open-reconcile.ts";
import { readState, saveState } from "./state-store.ts";
import { writeStatus } from "./write-status.ts";

const QUARANTINE_MS = 60 * 60_000;

/**
 * Leaves an object alone whose evaluation crashed three times: for an hour, or until its spec changes. Says so on the
 * object, and parks the message so that it can be looked at and sent again.
 */
export async function quarantine(
  deps: ReconcileDeps,
  hub: Hub,
  message: ObjectMessage,
  delivery: Delivery,
): Promise<void> {
  const { namespace, name } = message.object;
  const id: ObjectId = { hub: message.hub, namespace, name };
  const nowMs = deps.clock.nowMs();
  const cause = `evaluating ${id.namespace}/${id.name} crashed ${delivery.receiveCount} times in a row`;
  const parked = {
    queue: "reconcile",
    messageId: delivery.messageId,
    body: JSON.stringify(message),
    cause,
    receiveCount: delivery.receiveCount,
    atMs: nowMs,
  };
  await park(deps.table, parked, deps.telemetry);
  const object = await readObject(hub, id);
  if (object === undefined) return;
  const state = (await readState(deps, id)) ?? newState(object.uid);
  const untilMs = nowMs + QUARANTINE_MS;
  await saveState(deps, id, { ...state, quarantine: { generation: object.generation, untilMs } });
  const text = `${cause}; it is left alone for an hour or until its spec changes. See the function's log and "mainsheet parked list".`;
  await writeStatus(hub, object, { ...object.status, conditions: withQuarantine(object, text, nowMs) }, true);
  const event = { type: "Warning", reason: "Quarantined", message: text } as const;
  await emitEvents(hub, object, [event], {}, nowMs, true);
  deps.log.error("object quarantined", { ...id, cause });
}

async function readObject(hub: Hub, { namespace, name }: ObjectId): Promise<FederatedHpa | undefined> {
  try {
    return decodeFederatedHpa(await hub.port.get("hub", FEDERATED_HPAS, { namespace, name }));
  } catch (error) {
    if (isPortFault(error, "missing")) return undefined;
    throw error;
  }
}

function withQuarantine(object: FederatedHpa, message: string, nowMs: number): Condition[] {
  const { conditions } = object.status;
  const former = conditions.find(({ type }) => type === "ScalingActive");
  const condition: Condition = {
    type: "ScalingActive",
    status: "False",
    reason: "Quarantined",
    message,
    lastTransitionMs: former?.status === "False" ? former.lastTransitionMs : nowMs,
  };
  return [...conditions.filter(({ type }) => type !== "ScalingActive"), condition];
}
