import type { CronEvent } from "#domain/cron/run-text";
import { hash64 } from "#domain/units/hash";
import { isPortFault } from "#ports/fault";
import { FIELD_MANAGER } from "#wire/field-manager";
import { encodeEvent } from "#wire/kubernetes/event";
import { EVENTS } from "#wire/kubernetes/resources";
import type { CronDeps, CronTurn } from "./deps.ts";

/** What an Event is about. */
export interface Regarding {
  readonly kind: "FederatedHPA" | "CronFederatedHPA";
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * Emits an Event about the object (or another of its namespace), once: its name comes from `about`, so that a second try finds it there. One that the
 * hub refuses is logged, and that is all.
 */
export async function emitCronEvent(
  deps: CronDeps,
  { id, hub, object, nowMs }: CronTurn,
  event: CronEvent,
  about: string,
  regarding: Regarding = { ...object, kind: "CronFederatedHPA" },
): Promise<void> {
  if (hub.mode === "observe") return;
  const { kind, name, uid, resourceVersion } = regarding;
  const body = encodeEvent({
    ...event,
    name: `${name.slice(0, 200)}.${hash64(`${uid}/${event.reason}/${about}`)}`,
    namespace: object.namespace,
    regarding: { kind, name, uid, resourceVersion },
    firstMs: nowMs,
    lastMs: nowMs,
    count: 1,
  });
  try {
    await hub.port.create(EVENTS, body, { fieldManager: FIELD_MANAGER });
  } catch (error) {
    if (isPortFault(error, "conflict")) return;
    if (!isPortFault(error, "denied", "invalid", "missing")) throw error;
    deps.log.warn("Event refused by the hub", { ...id, reason: event.reason, fault: error.message });
  }
}
