/** A condition, as far as all kinds of them agree. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  /** When `status` last changed. */
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** The list with this condition set; one whose status stays keeps its lastTransitionTime. Nothing changed: the same list. */
export function withCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  if (before === undefined) return [...conditions, condition];
  const lastTransitionTime =
    before.status === condition.status ? before.lastTransitionTime : condition.lastTransitionTime;
  const after = { ...condition, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
  const isSame =
    before.status === after.status && before.reason === after.reason && before.message === after.message;
  return isSame ? conditions : conditions.with(index, after);
}
