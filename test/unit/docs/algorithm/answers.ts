import type { Decision } from "#domain/scale/decision";

/** What computes a row's answer, by the row's id. */
export type Answers = Readonly<Record<string, () => string | number | undefined>>;

/** `6, ScaleUpLimit`: the count that stands after the decision, and why it is no other. */
export function outcome({ currentReplicas, desiredReplicas = currentReplicas, held }: Decision): string {
  return held === undefined ? `${desiredReplicas}` : `${desiredReplicas}, ${held.reason}`;
}
