import { isPortFault, PortFault } from "#ports/fault";
import type { Condition, Item } from "#ports/table";
import { type ObjectId, objectPartition, STATE } from "#wire/keys";
import { decodeState, encodeState, type State } from "#wire/state";
import type { ReconcileDeps } from "./deps.ts";

/** The table refused what had to be remembered; the hub is another matter. */
export class TableFault extends Error {
  constructor(cause: PortFault) {
    super(cause.message, { cause });
    this.name = "TableFault";
  }
}

/** The stored state, read consistently; undefined when there is none. */
export async function readState(deps: ReconcileDeps, id: ObjectId): Promise<State | undefined> {
  const key = { pk: objectPartition(id), sk: STATE };
  const item = await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true });
  return item === undefined ? undefined : stateOf(id, item);
}

/** A stored state of a newer format is not ours to touch. */
export function stateOf(id: ObjectId, item: Parameters<typeof decodeState>[0]): State {
  const state = decodeState(item);
  if (state !== undefined) return state;
  throw new PortFault(
    "invalid",
    `read state of ${id.namespace}/${id.name}: it was written by a newer version of Mainsheet; deploy that version again`,
  );
}

/**
 * Replaces the state under its version and returns it with the new one; `conflict` when another run was first (B98),
 * `TableFault` when it cannot be written.
 */
export async function saveState(deps: ReconcileDeps, id: ObjectId, state: State): Promise<State> {
  const condition =
    state.version === 0 ? ({ if: "absent" } as const) : ({ if: "version", is: state.version } as const);
  await remember(deps, encodeState(id, state, deps.ids.next()), condition);
  return { ...state, version: state.version + 1 };
}

/** Writes an item; what the table refuses for another reason than its condition is a `TableFault`. */
export async function remember(deps: ReconcileDeps, item: Item, condition: Condition): Promise<void> {
  try {
    await deps.table.put(item, condition);
  } catch (error) {
    if (isPortFault(error) && error.kind !== "conflict") throw new TableFault(error);
    throw error;
  }
}
