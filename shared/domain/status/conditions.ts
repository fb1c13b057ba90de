import type { Condition } from "#domain/spec/federated-hpa";

/** A condition as a decision sets it. */
export type ConditionChange = Omit<Condition, "lastTransitionMs">;

/**
 * `conditions` with `changes` made in order; a new type goes to the end. `lastTransitionMs` moves only when `status`
 * does (semantics 4.12), also when a type changes twice.
 */
export function withConditions(
  conditions: readonly Condition[],
  changes: readonly ConditionChange[],
  nowMs: number,
): readonly Condition[] {
  const result = [...conditions];
  for (const change of changes) {
    const at = result.findIndex(({ type }) => type === change.type);
    const former = conditions.find(({ type }) => type === change.type);
    const lastTransitionMs = former?.status === change.status ? former.lastTransitionMs : nowMs;
    const { type, status, reason, message } = change;
    const next: Condition = { type, status, reason, message, lastTransitionMs };
    if (at < 0) result.push(next);
    else result[at] = next;
  }
  return result;
}
