import { park } from "#app/park";
import type { Condition, FederatedHpa } from "#domain/spec/federated-hpa";
import { isPortFault } from "#ports/fault";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import type { ObjectId } from "#wire/keys";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";
import { newState, type State } from "#wire/state";
import type { ObjectMessage } from "#wire/work";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { emitEvents } from "./emit-events.ts";
import { hubFor } from "./mode.ts";
import type { Delivery } from "./open-reconcile.ts";
import { readState, saveState } from "./state-store.ts";
import { minuteTurn } from "./turns.ts";
import { writeStatus } from "./write-status.ts";

/**
 * After this many deliveries of one object's own message, the object is the culprit if the invocation died while it was
 * the only one tried: the messages of a batch come again together, whoever of them it was (design 1, "Crashes").
 */
export const CULPRIT_AFTER = 3;
const QUARANTINE_MS = 60 * 60_000;
const REASON = "Quarantined";

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
  if (object === undefined || isAnother(object, message)) {
    deps.log.info("quarantine passed over: the object is gone, or was changed or made anew since", { ...id });
    return;
  }
  const own = hubFor(hub, object);
  await writeCondition(own, object, nowMs);
  const event = { type: "Warning", reason: REASON, message: textFor(object) } as const;
  await emitEvents(own, object, [event], {}, nowMs, true);
  // Last: what dies before is only a condition that the next evaluation sets back, never an hour without a word.
  const former = (await readState(deps, id)) ?? newState(object.uid);
  const { version, intent } = former;
  const anew = { ...newState(object.uid), version, ...(intent === undefined ? {} : { intent }) };
  const state = former.uid === object.uid ? former : anew;
  const untilMs = nowMs + QUARANTINE_MS;
  await saveState(deps, id, { ...state, quarantine: { generation: object.generation, untilMs } });
  deps.log.error("object quarantined", { ...id, cause });
}

/**
 * The turn of an object in quarantine: it is not evaluated. In one slot of each minute it is read, and told again that it is
 * left alone where its status does not say so: an evaluation that began before the quarantine may have written over it, or the object
 * was only observed then (storm seed 3204).
 */
export async function leaveAlone(
  deps: ReconcileDeps,
  hub: Hub,
  id: ObjectId,
  { uid, quarantine }: State,
  instantMs: number,
): Promise<{ readonly result: "quarantined" }> {
  const outcome = { result: "quarantined" } as const;
  if (!minuteTurn(id, instantMs, deps.policy.syncPeriodSeconds)) return outcome;
  try {
    const object = await readObject(hub, id);
    const isSame = object?.uid === uid && object.generation === quarantine?.generation;
    if (isSame && !object.status.conditions.some(({ reason }) => reason === REASON))
      await writeCondition(hubFor(hub, object), object, deps.clock.nowMs());
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("whether its status says so could not be seen to; the next minute looks again", {
      ...id,
      fault: error.message,
    });
  }
  return outcome;
}

/** The object was made anew since, or its spec has changed: it is not the one that crashed. */
function isAnother({ uid, generation }: FederatedHpa, { object }: ObjectMessage): boolean {
  return (object.uid ?? uid) !== uid || (object.generation ?? generation) !== generation;
}

async function readObject(hub: Hub, { namespace, name }: ObjectId): Promise<FederatedHpa | undefined> {
  try {
    return decodeFederatedHpa(await hub.port.get("hub", FEDERATED_HPAS, { namespace, name }));
  } catch (error) {
    if (isPortFault(error, "missing")) return undefined;
    throw error;
  }
}

function textFor({ namespace, name }: FederatedHpa): string {
  return `evaluating ${namespace}/${name} crashed ${CULPRIT_AFTER} times in a row; it is left alone for an hour or until its spec changes. See the function's log and "mainsheet parked list".`;
}

function writeCondition(hub: Hub, object: FederatedHpa, nowMs: number): Promise<void> {
  const { conditions } = object.status;
  const former = conditions.find(({ type }) => type === "ScalingActive");
  const condition: Condition = {
    type: "ScalingActive",
    status: "False",
    reason: REASON,
    message: textFor(object),
    lastTransitionMs: former?.status === "False" ? former.lastTransitionMs : nowMs,
  };
  const others = conditions.filter(({ type }) => type !== "ScalingActive");
  return writeStatus(hub, object, { ...object.status, conditions: [...others, condition] }, true);
}
