import { type Intent, resolveIntent } from "#domain/work/intent";
import { PortFault } from "#ports/fault";
import { FIELD_MANAGER } from "#wire/field-manager";
import type { ObjectId } from "#wire/keys";
import { encodeScaleRecord } from "#wire/scale-record";
import type { State } from "#wire/state";
import type { Hub, ReconcileDeps } from "./deps.ts";
import { recordLostDecision } from "./lost-decision.ts";
import { observeTarget } from "./observe-target.ts";
import { withScale } from "./shadow.ts";
import { readState, remember } from "./state-store.ts";

export interface Settled {
  readonly state: State;
  /** The scale that turned out to have happened, if one did. */
  readonly landed?: { readonly intent: Intent; readonly outcome: "applied" | "unconfirmed" };
}

/**
 * Finds out what became of an open intent before anything new is decided. A scale that landed, or may have, is recorded
 * and counts in the policies' budgets; one that may still land stays open in the state returned. `conflict` when `state` is
 * not what is stored: then the scale that is seen may be another's.
 */
export async function settleIntent(
  deps: ReconcileDeps,
  hub: Hub,
  id: ObjectId,
  state: State,
): Promise<Settled> {
  const { intent, ...closed } = state;
  if (intent === undefined) return { state };
  const target = await observeTarget(hub.port, intent.target.resource, id.namespace, intent.target.name);
  const outcome = resolveIntent(intent, target, FIELD_MANAGER, deps.clock.nowMs());
  if (outcome === "pending") return { state };
  deps.log.info("open intent settled", {
    ...id,
    intent: intent.id,
    from: intent.from,
    to: intent.to,
    outcome,
  });
  if (outcome !== "applied" && outcome !== "unconfirmed") return { state: closed };
  // A scale is announced before it is made: while nothing else is announced after the target was looked at, it is this one's.
  if ((await readState(deps, id))?.version !== state.version)
    throw new PortFault("conflict", `settle intent ${intent.id}: another run has moved the state on`);
  const settled = await recordLanded(deps, id, closed, intent, outcome);
  await recordLostDecision(deps, id, intent, outcome === "applied" ? "scaled" : "unknown");
  return { state: settled, landed: { intent, outcome } };
}

/** Puts a scale that landed on record, in the table and in the history; the state is not stored yet. */
export async function recordLanded(
  deps: ReconcileDeps,
  id: ObjectId,
  state: Omit<State, "intent">,
  intent: Intent,
  outcome: "applied" | "unconfirmed",
): Promise<State> {
  const record = {
    intentId: intent.id,
    atMs: intent.atMs,
    target: `${intent.target.kind}/${intent.target.name}`,
    from: intent.from,
    to: intent.to,
    reason: intent.reason,
    outcome,
  };
  await remember(deps, encodeScaleRecord(id, record), { if: "none" });
  const { target, generation } = intent;
  return { ...withScale(state, intent), scaled: { uid: target.uid, generation } };
}
