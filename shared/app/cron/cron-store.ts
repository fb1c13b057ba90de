import type { CronState } from "#domain/cron/cron-state";
import { isPortFault, PortFault } from "#ports/fault";
import type { Item } from "#ports/table";
import { decodeCronState, decodeRun, encodeCronState, encodeRun, type RunRecord } from "#wire/cron-state";
import { cronPartition, type ObjectId, runSortKey, STATE } from "#wire/keys";
import type { CronDeps } from "./deps.ts";

/** The stored state, read consistently; undefined when there is none. */
export async function readCronState(deps: CronDeps, id: ObjectId): Promise<CronState | undefined> {
  const key = { pk: cronPartition(id), sk: STATE };
  return cronStateOf(id, await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true }));
}

/** A stored state of a newer format is not ours to touch. */
export function cronStateOf(id: ObjectId, item: Item | undefined): CronState | undefined {
  if (item === undefined) return undefined;
  const state = decodeCronState(item);
  if (state !== undefined) return state;
  throw new PortFault(
    "invalid",
    `read cron state of ${id.namespace}/${id.name}: it was written by a newer version of Mainsheet; deploy that version again`,
  );
}

/** Replaces the state under its version and returns it with the new one; `conflict` when another was first. */
export async function saveCronState(deps: CronDeps, id: ObjectId, state: CronState): Promise<CronState> {
  const condition =
    state.version === 0 ? ({ if: "absent" } as const) : ({ if: "version", is: state.version } as const);
  await deps.table.put(encodeCronState(id, state, deps.ids.next()), condition);
  return { ...state, version: state.version + 1 };
}

const TRIES = 5;

/** Changes the state as it is by then, since another evaluation may have added to it; nothing where it is gone. */
export async function changeCronState(
  deps: CronDeps,
  id: ObjectId,
  first: CronState,
  change: (state: CronState) => CronState,
): Promise<void> {
  let state: CronState | undefined = first;
  for (let attempt = 1; state !== undefined && state.uid === first.uid; attempt++) {
    try {
      await saveCronState(deps, id, change(state));
      return;
    } catch (error) {
      if (!isPortFault(error, "conflict") || attempt === TRIES) throw error;
    }
    state = await readCronState(deps, id);
  }
}

/** The records of these runs, in their order, read consistently; those of a former object of the name are none. */
export async function readRuns(
  deps: CronDeps,
  id: ObjectId,
  runs: readonly { readonly rule: string; readonly instantMs: number }[],
): Promise<readonly (RunRecord | undefined)[]> {
  const keys = runs.map((run) => ({ pk: cronPartition(id), sk: runSortKey(run.rule, run.instantMs) }));
  const items = await deps.table.getMany(keys, { nowMs: deps.clock.nowMs(), consistent: true });
  return items.map((item) => item && decodeRun(item));
}

/** Writes a run's record under its version (0: there must be none) and returns it with the new one. */
export async function saveRun(deps: CronDeps, id: ObjectId, run: RunRecord): Promise<RunRecord> {
  const condition =
    run.version === 0 ? ({ if: "absent" } as const) : ({ if: "version", is: run.version } as const);
  await deps.table.put(encodeRun(id, run, deps.ids.next()), condition);
  return { ...run, version: run.version + 1 };
}
