import type { Load } from "#app/load/open-load";
import { type Beat, isIsolated, nextBeat } from "#domain/work/beat";
import type { ObjectKey } from "#domain/work/shards";
import { isPortFault } from "#ports/fault";
import { beatSortKey, fleetPartition, type ObjectId, objectPartition, STATE } from "#wire/keys";
import { decodeBeat, encodeBeat, replaces, type State, type StoredBeat } from "#wire/state";
import type { ShardMessage, SweptObject } from "#wire/work";
import type { ReconcileDeps } from "./deps.ts";
import { sendObjects } from "./isolate-objects.ts";
import { isEvaluated, type Outcome } from "./outcome.ts";
import { leaveAlone } from "./quarantine.ts";
import { reconcileObject } from "./reconcile-object.ts";
import { stateOf } from "./state-store.ts";
import type { Timely } from "./until-time-is-up.ts";

/** What the messages of an invocation share. */
export interface Invocation {
  readonly load: Load;
  /** Reads again, for these objects only. */
  readonly reload: (objects: readonly ObjectKey[]) => Load;
  /** Resolves when the invocation's time is nearly up. */
  readonly outOfTime: Promise<Outcome>;
  /** What an object's evaluation writes with, until then. */
  readonly timely: Timely;
}

/** `isolated`: its objects were sent on one by one. */
export type ShardOutcome = "duplicate" | "isolated" | ReadonlyMap<string, Outcome>;

/**
 * Reconciles every object of a shard, side by side, then writes the shard's heartbeat, which stands for the evaluation
 * of all that needed no write. An object that fails is its own outcome; the heartbeat names it, so that it does not
 * speak for it. Cost: one BatchGet of n + 1 items, one heartbeat, and a write for each object that has something new.
 */
export async function reconcileShard(
  deps: ReconcileDeps,
  message: ShardMessage,
  { load, reload, outOfTime, timely }: Invocation,
): Promise<ShardOutcome> {
  const { hub: hubName, shard, dueAtMs: slotMs } = message;
  const beatKey = { pk: fleetPartition(hubName), sk: beatSortKey(shard) };
  const ids = message.objects.map(({ namespace, name }): ObjectId => ({ hub: hubName, namespace, name }));
  const keys = [beatKey, ...ids.map((id) => ({ pk: objectPartition(id), sk: STATE }))];
  const [beatItem, ...items] = await deps.table.getMany(keys, { nowMs: deps.clock.nowMs() });
  const beat = decodeBeat(beatItem);
  if (beat !== undefined && slotMs <= beat.lastMs) return "duplicate";
  if (isIsolated(beat, deps.clock.nowMs())) {
    await sendObjects(deps, message, false);
    return "isolated";
  }

  const outcomes = await Promise.all(
    ids.map(async (id, i): Promise<readonly [string, Outcome]> => {
      const item = items[i];
      const work = async () => {
        const state = item && stateOf(id, item);
        if (state !== undefined && isQuarantined(state, message.objects[i], slotMs))
          return leaveAlone(timely.deps, timely.hub, id, state, slotMs);
        const relied = await beatFor(deps, id, state, { shard, beat });
        return reconcileObject(timely.deps, {
          id,
          hub: timely.hub,
          instantMs: slotMs,
          shard,
          ...(relied === undefined ? {} : { beat: relied }),
          ...(state === undefined ? {} : { state }),
          load: (fresh) => timely.reads((fresh ? reload([id]) : load)(id, slotMs)),
        });
      };
      return [`${id.namespace}/${id.name}`, await bounded(work, outOfTime)];
    }),
  );
  const failed = outcomes.flatMap(([name, outcome]) => (isEvaluated(outcome) ? [] : [name]));
  await writeBeat(deps, hubName, shard, beat, nextBeat(beat, slotMs, failed));
  return new Map(outcomes);
}

/**
 * Puts a heartbeat in the place of the one that was read, and of no other: what an invocation left behind when it was
 * frozen must not set it back, and an old read must not end the isolation of the shard's objects. Without its heartbeat a
 * shard's unchanged objects are one slot short in their histories until the next slot.
 */
async function writeBeat(
  deps: ReconcileDeps,
  hub: string,
  shard: string,
  former: StoredBeat | undefined,
  beat: Beat,
): Promise<void> {
  try {
    await deps.table.put(encodeBeat(hub, shard, former, beat, deps.ids.next()), replaces(former));
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("heartbeat not written; the next slot writes one", { hub, shard, fault: error.message });
  }
}

/** Whether the object, as the sweep found it, is still the one that is left alone. */
export function isQuarantined(
  state: State,
  { uid, generation }: Pick<SweptObject, "uid" | "generation"> = {},
  slotMs: number,
): boolean {
  if (state.quarantine === undefined || slotMs >= state.quarantine.untilMs) return false;
  const isSame = uid === undefined || uid === state.uid;
  return isSame && (generation === undefined || generation === state.quarantine.generation);
}

/**
 * The heartbeat that a stored state relies on: `own`, if it is the state's shard, else that of the shard the object is
 * leaving.
 */
export async function beatFor(
  deps: ReconcileDeps,
  { hub }: ObjectId,
  state: State | undefined,
  own?: { readonly shard: string; readonly beat: Beat | undefined },
): Promise<Beat | undefined> {
  const relied = state?.beatShard ?? state?.shadow?.beatShard;
  if (relied === undefined) return undefined;
  if (relied === own?.shard) return own.beat;
  const key = { pk: fleetPartition(hub), sk: beatSortKey(relied) };
  return decodeBeat(await deps.table.get(key, { nowMs: deps.clock.nowMs(), consistent: true }));
}

/** The work's outcome; a port's fault is one, and so is the end of the invocation's time. */
export async function bounded(work: () => Promise<Outcome>, outOfTime: Promise<Outcome>): Promise<Outcome> {
  try {
    return await Promise.race([work(), outOfTime]);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { result: "failed", message: error.message };
  }
}
