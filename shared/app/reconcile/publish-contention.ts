import { publish } from "#app/publish";
import { beginsConflict, conflictOf } from "#domain/scale/foreign-writes";
import type { History } from "#domain/scale/history";
import { mainsheetEvent } from "#wire/events";
import type { ObjectId } from "#wire/keys";
import type { EmittedEvent } from "#wire/state";
import type { ReconcileDeps } from "./deps.ts";

/** Puts `ScaleConflict` on the bus when others have just written the target's replicas for the third time. */
export async function publishConflict(
  deps: ReconcileDeps,
  { hub, namespace, name }: ObjectId,
  before: History,
  after: History,
): Promise<void> {
  if (!beginsConflict(before, after)) return;
  const { message, sinceMs } = conflictOf(after);
  const id = `${hub}:${namespace}/${name}:ScaleConflict:${sinceMs}`;
  await publish(deps, mainsheetEvent("ScaleConflict", { v: 1, id, hub, namespace, name, message }, sinceMs));
}

/** Puts `AutoscalerYielded` on the bus when a new Event on the object says that it is left alone. */
export async function publishYield(
  deps: ReconcileDeps,
  { hub, namespace, name }: ObjectId,
  reason: string,
  { message, firstMs, lastMs }: EmittedEvent,
): Promise<void> {
  if (firstMs !== lastMs) return;
  const id = `${hub}:${namespace}/${name}:${reason}:${firstMs}`;
  await publish(
    deps,
    mainsheetEvent("AutoscalerYielded", { v: 1, id, hub, namespace, name, message }, firstMs),
  );
}
