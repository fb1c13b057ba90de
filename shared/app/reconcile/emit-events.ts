import type { DecisionEvent } from "#domain/scale/decision";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { fnv1a } from "#domain/units/hash";
import { isPortFault } from "#ports/fault";
import { FIELD_MANAGER } from "#wire/field-manager";
import { encodeEvent, recurrence } from "#wire/kubernetes/event";
import { EVENTS } from "#wire/kubernetes/resources";
import type { EmittedEvent } from "#wire/state";
import type { Hub } from "./deps.ts";

type Emitted = Readonly<Record<string, EmittedEvent>>;

/** After this long a failure that goes on gets a new Event; the hub forgets Events after an hour. */
const RENEW_AFTER_MS = 45 * 60_000;

/**
 * Emits what a decision has to say and returns the events being counted. A failure that repeats patches the count of
 * its one Event, at most once a minute (`isTurn`), so that the count is the number of minutes in which it was seen.
 * Returns the argument itself when nothing changed.
 */
export async function emitEvents(
  hub: Hub,
  object: FederatedHpa,
  events: readonly DecisionEvent[],
  emitted: Emitted,
  instantMs: number,
  isTurn: boolean,
): Promise<Emitted> {
  if (hub.mode === "observe" || events.length === 0) return emitted;
  let next = emitted;
  for (const event of events) {
    const former = emitted[event.reason];
    const goesOn = former !== undefined && instantMs - former.firstMs < RENEW_AFTER_MS;
    if (goesOn && !isTurn) continue;
    const entry =
      goesOn && (await patchCount(hub, object, former, event, instantMs))
        ? { ...former, message: event.message, lastMs: instantMs, count: former.count + 1 }
        : await createEvent(hub, object, event, instantMs, eventName(object, event.reason, instantMs));
    next = { ...next, [event.reason]: entry };
  }
  return forgetOld(next, instantMs);
}

/** Emits an Event once: its name is made of `id` (a rescale's is its intent), so that a second run emits no second one. */
export async function emitOnce(
  hub: Hub,
  object: FederatedHpa,
  event: DecisionEvent,
  instantMs: number,
  id: string,
): Promise<void> {
  if (hub.mode === "observe") return;
  await createEvent(hub, object, event, instantMs, `${object.name.slice(0, 200)}.${id}`);
}

function eventName(object: FederatedHpa, reason: string, instantMs: number): string {
  return `${object.name.slice(0, 200)}.${fnv1a(reason).toString(16)}${instantMs.toString(16)}`;
}

async function createEvent(
  hub: Hub,
  object: FederatedHpa,
  event: DecisionEvent,
  instantMs: number,
  name: string,
): Promise<EmittedEvent> {
  const entry = { name, message: event.message, firstMs: instantMs, lastMs: instantMs, count: 1 };
  const { namespace, name: regardingName, uid, resourceVersion } = object;
  const body = encodeEvent({
    ...entry,
    namespace,
    regarding: { name: regardingName, uid, resourceVersion },
    type: event.type,
    reason: event.reason,
  });
  try {
    await hub.port.create(EVENTS, body, { fieldManager: FIELD_MANAGER });
  } catch (error) {
    if (!isPortFault(error, "conflict")) throw error;
  }
  return entry;
}

/** Whether the Event was still there to be patched. */
async function patchCount(
  hub: Hub,
  object: FederatedHpa,
  former: EmittedEvent,
  event: DecisionEvent,
  instantMs: number,
): Promise<boolean> {
  const patch = recurrence({ message: event.message, lastMs: instantMs, count: former.count + 1 });
  try {
    const name = { namespace: object.namespace, name: former.name };
    await hub.port.mergePatch(EVENTS, name, patch, { fieldManager: FIELD_MANAGER });
    return true;
  } catch (error) {
    if (isPortFault(error, "missing")) return false;
    throw error;
  }
}

function forgetOld(emitted: Emitted, instantMs: number): Emitted {
  const kept = Object.entries(emitted).filter(([, entry]) => instantMs - entry.firstMs < RENEW_AFTER_MS);
  return kept.length === Object.keys(emitted).length ? emitted : Object.fromEntries(kept);
}
