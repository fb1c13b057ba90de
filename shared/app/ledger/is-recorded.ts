import type { Mode } from "#app/reconcile/deps";
import type { Outcome, ShadowOutcome } from "#app/reconcile/outcome";
import { fiveMinuteTurn, minuteTurn, nthTurn } from "#app/reconcile/turns";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { LedgerChoice } from "#domain/work/ledger";
import type { ObjectId } from "#wire/keys";

export type Decided = Extract<Outcome, { readonly decision: unknown }>;

/**
 * Whether a decision is kept: every scale, every change of a condition, and failures. What goes on failing, or stays
 * held back, is kept once a minute: the same words every slot tell nobody more. A hub that is only observed keeps the
 * status of whoever writes it, so there a new recommendation is what counts, and what stays is kept every five minutes.
 */
export function isRecorded(
  { result, decision, conditionsChanged }: Decided,
  snapshot: Snapshot,
  id: ObjectId,
  mode: Mode,
  choice: LedgerChoice,
  periodSeconds: number,
): boolean {
  const { instantMs } = snapshot;
  if (choice === "all") return true;
  if (typeof choice === "object" && nthTurn(id, instantMs, periodSeconds, choice.sampleEvery)) return true;
  const isMinute = minuteTurn(id, instantMs, periodSeconds);
  const isFailing = decision.failure !== undefined;
  if (mode === "observe") {
    const isTurn = isFailing ? isMinute : fiveMinuteTurn(id, instantMs, periodSeconds);
    return isNewlyRecommended(decision) || ((isFailing || result === "would-scale") && isTurn);
  }
  switch (result) {
    case "scaled":
    case "unknown":
      return true;
    case "refused":
      return isMinute || !wasRefused(snapshot);
    case "held":
    case "yielded":
      return isMinute;
    default:
      return conditionsChanged || (isFailing && isMinute);
  }
}

/**
 * Whether a shadow's decision is kept where the real one is not: another count is recommended for the first time, or it
 * cannot be decided, once a minute. Beside a real decision that is kept it always is.
 */
export function isShadowNews(
  shadow: ShadowOutcome,
  id: ObjectId,
  instantMs: number,
  periodSeconds: number,
  choice: LedgerChoice,
): boolean {
  if (choice === "all") return true;
  if ("decision" in shadow && shadow.decision.failure === undefined)
    return isNewlyRecommended(shadow.decision);
  return minuteTurn(id, instantMs, periodSeconds);
}

function isNewlyRecommended({ recommended, history, instantMs }: Decided["decision"]): boolean {
  return recommended && history.recommendations.some(({ firstMs }) => firstMs === instantMs);
}

/** Whether the object's status says already that its last scale was refused. */
function wasRefused({ object }: Snapshot): boolean {
  return object.status.conditions.some(({ type, status }) => type === "AbleToScale" && status === "False");
}
