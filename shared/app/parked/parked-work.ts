import { objectGroup } from "#app/reconcile/isolate-objects";
import { shortId } from "#domain/units/short-id";
import { isLate } from "#domain/work/slots";
import type { Parked } from "#wire/parked";
import {
  type EventMessage,
  type ObjectMessage,
  parseCronMessage,
  parseReconcileMessage,
  parseRouteMessage,
  parseSlotMessage,
} from "#wire/work";

/** What a parked message asks for, and whether it is of any use to send it again. */
export type ParkedWork =
  /** Periodic work: a later message stands behind it, so that it would only be dropped. */
  | { readonly kind: "stale"; readonly about: string }
  /** No function of this version reads it: it would be parked again. */
  | { readonly kind: "unreadable"; readonly about: string; readonly fault: string }
  | { readonly kind: "ready"; readonly about: string; readonly body: string; readonly groupId: string };

const CRON_PERIOD_SECONDS = 60;

/**
 * Reads a parked message. One object's own message is made current: an instant that has passed would make it a no-op,
 * and a quarantine would pass it over.
 */
export function parkedWork(parked: Parked, nowMs: number, periodSeconds: number): ParkedWork {
  const { queue, body } = parked;
  if (queue === "sweep") {
    const message = parseSlotMessage(body);
    if (!message.ok) return unreadable(message.fault);
    return periodic(parked, "every object of the hub", message.value.slotMs, nowMs, periodSeconds);
  }
  if (queue === "reconcile") {
    const message = parseReconcileMessage(body);
    if (!message.ok) return unreadable(message.fault);
    const { value } = message;
    return value.kind === "shard"
      ? periodic(parked, `shard ${value.shard}`, value.dueAtMs, nowMs, periodSeconds)
      : objectWork(parked, value, nowMs);
  }
  if (queue === "route") {
    const message = parseRouteMessage(body);
    if (!message.ok) return unreadable(message.fault);
    const { value } = message;
    return value.kind === "later"
      ? periodic(parked, objectName(value), value.untilMs, nowMs, periodSeconds)
      : { kind: "ready", about: `event ${value.id}`, body, groupId: "" };
  }
  if (queue === "cron") {
    const message = parseCronMessage(body);
    if (!message.ok) return unreadable(message.fault);
    return periodic(parked, "every cron rule of the hub", message.value.dueAtMs, nowMs, CRON_PERIOD_SECONDS);
  }
  return unreadable(`queue ${queue} is none of this version`);
}

function unreadable(fault: string): ParkedWork {
  return { kind: "unreadable", about: "?", fault };
}

function periodic(
  { body, groupId, messageId }: Parked,
  about: string,
  dueAtMs: number,
  nowMs: number,
  periodSeconds: number,
): ParkedWork {
  if (isLate(nowMs, dueAtMs, periodSeconds)) return { kind: "stale", about };
  return { kind: "ready", about, body, groupId: groupId ?? shortId(messageId) };
}

function objectWork(
  { hub, groupId }: Parked,
  message: ObjectMessage | EventMessage,
  nowMs: number,
): ParkedWork {
  const { object } = message;
  const current: ObjectMessage = {
    ...{ v: 1, kind: "object", hub: message.hub, object },
    ...{ dueAtMs: nowMs, afterCrash: true, redriven: true },
  };
  return {
    kind: "ready",
    about: objectName(message),
    body: JSON.stringify(current),
    groupId: groupId ?? shortId(objectGroup(hub, object)),
  };
}

function objectName({ object }: Pick<ObjectMessage, "object">): string {
  return `${object.namespace}/${object.name}`;
}
