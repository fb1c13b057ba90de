import type { Loaded } from "#app/load/open-load";
import type { Snapshot } from "#domain/fleet/snapshot";
import { decideScale } from "#domain/scale/decide";
import { otherAutoscaler } from "#domain/scale/other-autoscaler";
import { type Beat, evaluatedUpTo, extendLatest } from "#domain/work/beat";
import { type Intent, isFromBefore } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import type { ObjectId } from "#wire/keys";
import { newState, type State } from "#wire/state";
import { applyDecision } from "./apply-decision.ts";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { emitOnce } from "./emit-events.ts";
import { hubFor } from "./mode.ts";
import type { Outcome } from "./outcome.ts";
import { publishScale } from "./publish-scale.ts";
import { recordOutcome, type Unscaled } from "./record-outcome.ts";
import { settleIntent } from "./settle-intent.ts";
import { evaluateShadow, type ShadowEvaluation, shadowCaughtUp } from "./shadow.ts";
import { readState, TableFault } from "./state-store.ts";
import { dropReferences, storeReferences } from "./store-references.ts";
import { tellTableFault } from "./tell-table-fault.ts";
import { writeStatus } from "./write-status.ts";

/** One object's turn: what to evaluate, for when, and what is known already. */
export interface ObjectTurn {
  readonly id: ObjectId;
  readonly hub: Hub;
  /** The logical now of the decision. */
  readonly instantMs: number;
  /** The shard whose heartbeats speak for the object from this evaluation on; absent where none does. */
  readonly shard?: string;
  /** The shard in whose group of the queue the message is, where it is no slot's. */
  readonly group?: string;
  /** Before `instantMs` where it waited for long: an evaluation of this instant or a later one has done what it is for. */
  readonly heardMs?: number;
  /** Between slots, because of an event: it is stored at its own instant, and nothing that is done once a minute is due. */
  readonly isExtra?: boolean;
  /** Heartbeat of the shard that the stored state relies on. */
  readonly beat?: Beat;
  readonly state?: State;
  /** Reads the object's world; `fresh` reads it again. Undefined when the object does not exist. */
  readonly load: (fresh: boolean) => Promise<Loaded | undefined>;
}

const TRIES = 3;

/**
 * Reconciles one FederatedHPA: load, settle what was left open, decide, apply, record. When the target or the state
 * moved under it, it reads and decides anew, three times in all; then that is the object's outcome (B60, B98).
 */
export async function reconcileObject(deps: ReconcileDeps, turn: ObjectTurn): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const fresh = attempt > 1;
    try {
      const state = fresh ? await readState(deps, turn.id) : turn.state;
      const vain = state && whyVain(turn, state);
      if (vain) return { result: vain };
      const outcome = await reconcileOnce(deps, turn, state, await turn.load(fresh));
      if (outcome !== "moved") return outcome;
      if (attempt === TRIES)
        return { result: "failed", message: `the target moved during each of ${TRIES} tries` };
    } catch (error) {
      if (error instanceof TableFault) return { result: "failed", message: error.message };
      if (!isPortFault(error)) throw error;
      if (error.kind !== "conflict" || attempt === TRIES) return { result: "failed", message: error.message };
    }
  }
}

async function reconcileOnce(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  stored: State | undefined,
  first: Loaded | undefined,
): Promise<Outcome | "moved"> {
  if (first === undefined) {
    await dropReferences(deps, turn.id, stored?.references);
    return { result: "gone" };
  }
  const known = caughtUp(stored ?? newState(first.snapshot.object.uid), turn);

  let loaded = first;
  let state = known;
  if (known.intent !== undefined) {
    const hub = hubFor(turn.hub, first.snapshot.object);
    const settled = await settleIntent(deps, hub, turn.id, known);
    if (settled.landed) {
      await announceLanded(hub, first.snapshot, settled.landed.intent);
      await publishScale(deps, turn.id, settled.landed.intent);
    }
    state = settled.state;
  }
  if (known.intent !== undefined || isBehind(first, known)) {
    const again = await turn.load(true);
    if (again === undefined) return { result: "gone" };
    loaded = again;
    // What is still behind was set back, as a hub is that was restored from a backup.
    if (isBehind(again, state)) state = withoutScaled(state);
  }
  const { object } = loaded.snapshot;
  if (state.uid !== object.uid) {
    if (state.intent !== undefined)
      return { result: "failed", message: "a scale of the former object is still open" };
    const { version, references } = state;
    state = { ...newState(object.uid), version, ...(references === undefined ? {} : { references }) };
  }
  const references = await storeReferences(deps, turn.id, loaded.snapshot, state.references);
  if (references !== undefined) state = { ...state, references };

  const hub = hubFor(turn.hub, object);
  const shadow = evaluateShadow(deps, loaded.shadow, state, turn.shard);
  try {
    const outcome = await actOn(deps, { ...turn, hub }, loaded, state, shadow);
    if (outcome === "moved" || !("decision" in outcome)) return outcome;
    const decidedFrom = { snapshot: loaded.snapshot, history: state.history };
    return { ...outcome, decidedFrom, ...(shadow === undefined ? {} : { shadow: shadow.outcome }) };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    await tellTableFault(deps, hub, loaded.snapshot, error.message);
    return { result: "failed", message: error.message };
  }
}

/** Decides, and does what the decision and the object's mode ask for. */
async function actOn(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  loaded: Loaded,
  state: State,
  shadow: ShadowEvaluation | undefined,
): Promise<Outcome | "moved"> {
  const { snapshot } = loaded;
  const record = (outcome: Unscaled) => recordOutcome(deps, turn, snapshot, decision, state, shadow, outcome);
  const { decide = decideScale } = deps;
  const decision = decide(snapshot, state.history, deps.policy);
  const { scale } = decision;
  const { intent } = state;
  if (turn.hub.mode === "observe") {
    const result = scale ? "would-scale" : "unchanged";
    return record({ result });
  }
  const other = otherAutoscaler(snapshot, deps.policy.syncPeriodSeconds);
  if (other !== undefined) {
    const instead = { type: "Warning", reason: "AnotherAutoscaler", message: other } as const;
    return record({ result: "yielded", message: other, instead });
  }
  if (scale === undefined) return record({ result: "unchanged" });
  if (intent !== undefined && (intent.to !== scale.to || intent.from !== scale.from)) {
    const message = `an earlier scale ${intent.from} to ${intent.to} may still land`;
    return record({ result: "held", message });
  }
  return applyDecision(deps, turn, loaded, decision, scale, state, shadow);
}

/**
 * Why there is nothing to evaluate, which is known before anything of the hub is read. `elsewhere`: the heartbeat of another
 * shard speaks for the object than the one in whose group it is worked here: then a slot may be evaluated beside this, and
 * what it stores by that heartbeat meets no write of the state.
 */
function whyVain(turn: ObjectTurn, stored: State): "stale" | "elsewhere" | undefined {
  const { instantMs, heardMs = instantMs, group } = turn;
  if (heardMs <= lastInstantOf(stored, turn)) return "stale";
  const { beatShard } = stored;
  return group !== undefined && beatShard !== undefined && group !== beatShard ? "elsewhere" : undefined;
}

/** Whether the target was read before our last scale on record, which the state knows of. */
function isBehind({ snapshot: { target } }: Loaded, { scaled }: State): boolean {
  return target.ok && isFromBefore(target.value, scaled);
}

function withoutScaled({ scaled: _setBack, ...state }: State): State {
  return state;
}

/** The state with its latest recommendation extended to where the shard's heartbeats carried it. */
function caughtUp(stored: State, turn: ObjectTurn): State {
  const state = shadowCaughtUp(stored, turn);
  if (state.beatShard === undefined) return state;
  const history = extendLatest(state.history, carriedTo(turn));
  return { ...state, history, lastInstantMs: lastInstantOf(state, turn) };
}

/** The instant up to which the object was evaluated, by its state and by the heartbeats that it relies on. */
function lastInstantOf({ beatShard, lastInstantMs }: State, turn: ObjectTurn): number {
  return beatShard === undefined ? lastInstantMs : Math.max(lastInstantMs, carriedTo(turn));
}

function carriedTo({ beat, id }: ObjectTurn): number {
  return evaluatedUpTo(beat, `${id.namespace}/${id.name}`);
}

async function announceLanded(hub: Hub, snapshot: Snapshot, intent: Intent): Promise<void> {
  const { object } = snapshot;
  const event = {
    type: "Normal",
    reason: "SuccessfulRescale",
    message: `New size: ${intent.to}; reason: ${intent.reason}`,
  } as const;
  await emitOnce(hub, object, event, intent.atMs, intent.id);
  await writeStatus(hub, object, { ...object.status, lastScaleAtMs: intent.atMs }, true);
}
