import type { Snapshot } from "#domain/fleet/snapshot";
import { eventSettings } from "#domain/work/event-settings";
import { isSameReferences, type References, referencesOf } from "#domain/work/references";
import { isPortFault } from "#ports/fault";
import type { ObjectId } from "#wire/keys";
import { encodeReferences, referenceKeys } from "#wire/references";
import type { ReconcileDeps } from "./deps.ts";

/**
 * Keeps up what `route` finds the object by, and returns what is stored now: `former` itself where nothing has changed or
 * the table does not take it, so that the next evaluation tries again. New items come before the old ones go. Cost:
 * nothing, unless the target, its clusters, the alarms or the floor are others than before.
 */
export async function storeReferences(
  deps: ReconcileDeps,
  id: ObjectId,
  snapshot: Snapshot,
  former: References | undefined,
): Promise<References | undefined> {
  const next = referencesOf(snapshot, former);
  if (isSameReferences(former, next)) return former;
  for (const { path, detail } of eventSettings(snapshot.object.annotations).faults)
    deps.log.warn("an annotation is not heeded", { ...id, path, detail });
  const kept = former?.minIntervalMs === next.minIntervalMs ? new Set(keysOf(id, former)) : new Set<string>();
  const stays = new Set(keysOf(id, next));
  try {
    for (const item of encodeReferences(id, next))
      if (!kept.has(`${item.pk} ${item.sk}`)) await deps.table.put(item, { if: "none" });
    await remove(deps, id, former, stays);
    return next;
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn(
      "references not stored; the next evaluation stores them, and events may pass the object by",
      {
        ...id,
        fault: error.message,
      },
    );
    return former;
  }
}

/** Of an object that is gone: what still leads to it. */
export async function dropReferences(
  deps: ReconcileDeps,
  id: ObjectId,
  former: References | undefined,
): Promise<void> {
  try {
    await remove(deps, id, former, new Set());
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("references of a deleted object not removed", { ...id, fault: error.message });
  }
}

async function remove(
  deps: ReconcileDeps,
  id: ObjectId,
  former: References | undefined,
  stays: ReadonlySet<string>,
): Promise<void> {
  for (const key of former === undefined ? [] : referenceKeys(id, former))
    if (!stays.has(`${key.pk} ${key.sk}`)) await deps.table.delete(key, { if: "none" });
}

function keysOf(id: ObjectId, references: References | undefined): string[] {
  return references === undefined ? [] : referenceKeys(id, references).map(({ pk, sk }) => `${pk} ${sk}`);
}
