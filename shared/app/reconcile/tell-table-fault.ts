import type { Snapshot } from "#domain/fleet/snapshot";
import { withConditions } from "#domain/status/conditions";
import { isPortFault } from "#ports/fault";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { emitOnce } from "./emit-events.ts";
import { writeStatus } from "./write-status.ts";

const REASON = "FailedUpdateState";
/** The state cannot remember that it was told, so the Event's name does: one for each such span. */
const ONE_EVENT_PER_MS = 45 * 60_000;

/**
 * Says on the object that its state cannot be written, so that nothing is scaled: a condition, and one Event. The next
 * decision that can be recorded sets the condition back. A hub that cannot be told either is only logged.
 */
export async function tellTableFault(
  deps: ReconcileDeps,
  hub: Hub,
  { object, instantMs }: Snapshot,
  fault: string,
): Promise<void> {
  const message = `the table refused this object's state, so nothing is scaled: ${fault}`;
  const condition = { type: "AbleToScale", status: "False", reason: REASON, message } as const;
  const conditions = withConditions(object.status.conditions, [condition], instantMs);
  try {
    const span = Math.floor(instantMs / ONE_EVENT_PER_MS).toString(16);
    await emitOnce(hub, object, { type: "Warning", reason: REASON, message }, instantMs, `state${span}`);
    await writeStatus(hub, object, { ...object.status, conditions }, true);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("the table's fault could not be told on the object", {
      object: object.name,
      fault: error.message,
    });
  }
}
