import type { Snapshot } from "#domain/fleet/snapshot";
import type { Decision, DecisionEvent } from "#domain/scale/decision";
import type { History, Recommendation } from "#domain/scale/history";
import type { Condition } from "#domain/spec/federated-hpa";
import { isSameReferences } from "#domain/work/references";
import type { State } from "#wire/state";
import type { ReconcileDeps } from "./deps.ts";
import { emitEvents } from "./emit-events.ts";
import type { Outcome } from "./outcome.ts";
import { publishConflict, publishYield } from "./publish-contention.ts";
import type { ObjectTurn } from "./reconcile-object.ts";
import { type ShadowEvaluation, shadowEvents, withShadow } from "./shadow.ts";
import { saveState } from "./state-store.ts";
import { fiveMinuteTurn, minuteTurn } from "./turns.ts";
import { writeStatus } from "./write-status.ts";

export interface Unscaled {
  readonly result: "would-scale" | "held" | "unchanged" | "yielded";
  readonly message?: string;
  /** Said in place of the decision's events and status, which then are not written. */
  readonly instead?: DecisionEvent;
}

/**
 * Records a decision that writes no scale: its events, the state where it says something new, and the object's status.
 * `state` is what the decision was made from.
 */
export async function recordOutcome(
  deps: ReconcileDeps,
  turn: ObjectTurn,
  snapshot: Snapshot,
  decision: Decision,
  state: State,
  shadow: ShadowEvaluation | undefined,
  { instead, ...outcome }: Unscaled,
): Promise<Outcome> {
  const { id, hub, instantMs, shard, isExtra = false } = turn;
  const { syncPeriodSeconds } = deps.policy;
  const isMinuteTurn = !isExtra && minuteTurn(id, instantMs, syncPeriodSeconds);
  const emitted = await emitEvents(
    hub,
    snapshot.object,
    instead ? [instead] : [...decision.events, ...shadowEvents(shadow?.outcome)],
    state.emitted,
    instantMs,
    isMinuteTurn,
  );
  const said = instead && emitted !== state.emitted ? emitted[instead.reason] : undefined;
  if (instead && said) await publishYield(deps, id, instead.reason, said);
  await publishConflict(deps, id, state.history, decision.history);
  const { beatShard: _former, quarantine: _ended, ...rest } = withShadow(state, shadow?.state);
  const next: State = {
    ...rest,
    history: decision.history,
    lastInstantMs: instantMs,
    emitted,
    ...(decision.recommended && shard !== undefined ? { beatShard: shard } : {}),
  };
  const isDue = fiveMinuteTurn(id, instantMs, syncPeriodSeconds) && decision.recommended;
  if (isDue || isExtra || shard === undefined || saysMore(turn.state, next)) await saveState(deps, id, next);
  if (instead === undefined) await writeStatus(hub, snapshot.object, decision.status, isMinuteTurn);
  return {
    ...outcome,
    decision,
    conditionsChanged: conditionsDiffer(snapshot.object.status.conditions, decision.status.conditions),
  };
}

/**
 * Whether the next state says more than the stored one with its heartbeat: another recommendation, a scale event, a
 * lost cluster, another shard, a settled intent, an event counted, other references; and the same of its
 * shadow. Recommendations that were pruned or extended say nothing new.
 */
export function saysMore(stored: State | undefined, next: State): boolean {
  if (stored === undefined || stored.version !== next.version || stored.uid !== next.uid) return true;
  return (
    stored.beatShard !== next.beatShard ||
    stored.intent?.id !== next.intent?.id ||
    stored.scaled?.generation !== next.scaled?.generation ||
    stored.emitted !== next.emitted ||
    stored.quarantine !== next.quarantine ||
    !isSameReferences(stored.references, next.references) ||
    historySaysMore(stored.history, next.history) ||
    shadowSaysMore(stored.shadow, next.shadow)
  );
}

function historySaysMore(stored: History, next: History): boolean {
  return (
    !sameRun(latest(stored), latest(next)) ||
    lastEvents(next) > lastEvents(stored) ||
    JSON.stringify(holds(stored)) !== JSON.stringify(holds(next))
  );
}

function shadowSaysMore(stored: State["shadow"], next: State["shadow"]): boolean {
  if (stored === undefined || next === undefined) return stored !== next;
  return (
    stored.configMap !== next.configMap ||
    stored.beatShard !== next.beatShard ||
    historySaysMore(stored.history, next.history)
  );
}

function latest(history: History): Recommendation | undefined {
  return history.recommendations.reduce<Recommendation | undefined>(
    (found, run) => (found === undefined || run.lastMs >= found.lastMs ? run : found),
    undefined,
  );
}

function sameRun(a: Recommendation | undefined, b: Recommendation | undefined): boolean {
  return a?.replicas === b?.replicas && a?.firstMs === b?.firstMs;
}

function lastEvents({ scaleUpEvents, scaleDownEvents }: History): number {
  return Math.max(0, ...scaleUpEvents.map(({ atMs }) => atMs), ...scaleDownEvents.map(({ atMs }) => atMs));
}

function holds({ lostSinceMs, sharesDifferSinceMs, foreignWrites }: History) {
  const lost = Object.entries(lostSinceMs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return [lost, sharesDifferSinceMs, foreignWrites?.map(({ manager, atMs }) => [manager, atMs])];
}

function conditionsDiffer(before: readonly Condition[], after: readonly Condition[]): boolean {
  return after.some((condition) => {
    const former = before.find(({ type }) => type === condition.type);
    return former?.status !== condition.status || former.reason !== condition.reason;
  });
}
