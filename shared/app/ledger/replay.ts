import { decideScale } from "#domain/scale/decide";
import type { DecisionRecord } from "#wire/decision-record";
import { type Difference, firstDifference } from "#wire/first-difference";
import { encodeJson } from "#wire/json";

/** What deciding again came to. */
export type Replayed =
  | { readonly result: "same" }
  | { readonly result: "different"; readonly difference: Difference }
  /** It was recorded without what it was decided from. */
  | { readonly result: "not-replayable"; readonly why: string };

/** Decides again from a record, and holds the decision against the recorded one, byte for byte. */
export function replay({ decision, inputs }: DecisionRecord): Replayed {
  if (!inputs.replayable) return { result: "not-replayable", why: inputs.why };
  if (decision === undefined) {
    return { result: "not-replayable", why: "it holds no decision to compare with" };
  }
  const { snapshot, history, policy } = inputs.saved;
  const again = decideScale(snapshot, history, policy);
  const [recorded, now] = [encodeJson(decision), encodeJson(again)];
  if (recorded.ok && now.ok && recorded.value === now.value) return { result: "same" };
  const difference = firstDifference(decision, again) ?? { path: "$", left: "its bytes", right: "others" };
  return { result: "different", difference };
}
