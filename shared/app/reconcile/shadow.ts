import type { LoadedShadow } from "#app/load/shadow-snapshot";
import { recordScale } from "#domain/scale/conclude";
import { decideScale } from "#domain/scale/decide";
import type { Decision, DecisionEvent } from "#domain/scale/decision";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { summary } from "#domain/scale/summary";
import { evaluatedUpTo, extendLatest } from "#domain/work/beat";
import type { ShadowState, State } from "#wire/state";
import type { ReconcileDeps } from "./deps.ts";
import type { ShadowOutcome } from "./outcome.ts";
import type { ObjectTurn } from "./reconcile-object.ts";

/** What a shadow's evaluation came to, and what is remembered of it. */
export interface ShadowEvaluation {
  readonly outcome: ShadowOutcome;
  readonly state: ShadowState;
}

/**
 * Decides by an object's other spec, on the same world and instant as the real decision. Its recommendations are its
 * own; the scales in its history are the real ones, since these are what happened to the replicas that it sees. Nothing
 * of it is ever applied.
 */
export function evaluateShadow(
  { policy }: Pick<ReconcileDeps, "policy">,
  shadow: LoadedShadow | undefined,
  state: State,
  shard: string | undefined,
): ShadowEvaluation | undefined {
  if (shadow === undefined) return undefined;
  const { configMap } = shadow;
  const former = state.shadow?.configMap === configMap ? state.shadow.history : begun(state.history);
  if ("fault" in shadow) {
    return { outcome: { configMap, fault: shadow.fault }, state: { configMap, history: former } };
  }
  const { snapshot } = shadow;
  const decision = decideScale(snapshot, former, policy);
  const { history, recommended } = decision;
  return {
    outcome: { configMap, decision, decidedFrom: { snapshot, history: former } },
    state: { configMap, history, ...(recommended && shard !== undefined ? { beatShard: shard } : {}) },
  };
}

/** A new shadow's history: what has happened to the replicas counts from the start. */
function begun({ scaleUpEvents, scaleDownEvents }: History): History {
  return { ...EMPTY_HISTORY, scaleUpEvents, scaleDownEvents };
}

/** The state with what a shadow remembers in the place of what it remembered; without one, with nothing. */
export function withShadow({ shadow: _former, ...state }: State, shadow: ShadowState | undefined): State {
  return shadow === undefined ? state : { ...state, shadow };
}

/** The shadow's part of a state while its scale is under way: no heartbeat speaks for it. */
export function silent(shadow: ShadowState | undefined): ShadowState | undefined {
  if (shadow === undefined) return undefined;
  const { beatShard: _closed, ...rest } = shadow;
  return rest;
}

/** The state with a scale that happened, or may have, in both histories. */
export function withScale<T extends Pick<State, "history" | "shadow">>(
  state: T,
  { from, to, atMs }: { readonly from: number; readonly to: number; readonly atMs: number },
): T {
  const history = recordScale(state.history, from, to, atMs);
  if (state.shadow === undefined) return { ...state, history };
  const shadow = { ...state.shadow, history: recordScale(state.shadow.history, from, to, atMs) };
  return { ...state, history, shadow };
}

/** The state with the shadow's latest recommendation extended to where the shard's heartbeats carried it. */
export function shadowCaughtUp(state: State, { beat, id }: Pick<ObjectTurn, "beat" | "id">): State {
  const { shadow } = state;
  if (shadow?.beatShard === undefined) return state;
  const upTo = evaluatedUpTo(beat, `${id.namespace}/${id.name}`);
  return { ...state, shadow: { ...shadow, history: extendLatest(shadow.history, upTo) } };
}

/** What the object's Events say of a shadow that cannot be decided by; it is counted like a failure of its own. */
export function shadowEvents(shadow: ShadowOutcome | undefined): readonly DecisionEvent[] {
  if (shadow === undefined || !("fault" in shadow)) return [];
  return [{ type: "Warning", reason: "ShadowInvalid", message: shadow.fault }];
}

/** A shadow in one line, for logs. */
export function shadowText(shadow: ShadowOutcome): string {
  return "fault" in shadow ? shadow.fault : summary(shadow.decision);
}

/** What the real decision is told to a shadow's record as. */
export function realOf(decision: Decision) {
  const { desiredReplicas } = decision;
  return { ...(desiredReplicas === undefined ? {} : { to: desiredReplicas }), summary: summary(decision) };
}
