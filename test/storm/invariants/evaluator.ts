import { recordScale } from "#domain/scale/conclude";
import type { Decision } from "#domain/scale/decision";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { decodeState, encodeState, newState } from "#wire/state";

/** A scale that counts in the budgets from `sinceMs` on: it happened, or is on record (I2 asks whether it may be). */
export interface Scale {
  readonly sinceMs: number;
  readonly object: string;
  readonly objectUid: string;
  readonly targetUid: string;
  readonly intentId: string;
  readonly from: number;
  readonly to: number;
  readonly atMs: number;
  readonly by: string;
}

/** One object's evaluator: what it may know after the last evaluation that counts. */
export interface Evaluator {
  readonly uid: string;
  /** Several, where it was open whether it could know of a scale: those that explain what was decided since. */
  readonly pasts: readonly Past[];
  readonly lastMs: number;
  /** The invocation that made the last evaluation. */
  readonly by: string;
  /** The shard whose heartbeat stands for the last evaluation, which wrote nothing. */
  readonly shard?: string;
  /** When that heartbeat landed, where its invocation was over by then. */
  readonly lateMs?: number;
  /** As it was before the last evaluation, which may be taken back. */
  readonly former?: Evaluator;
}

export interface Past {
  readonly history: History;
  /** Scales by their intent that are in the history. */
  readonly scales: ReadonlySet<string>;
}

export function fresh(uid: string): Evaluator {
  return { uid, pasts: [{ history: EMPTY_HISTORY, scales: new Set() }], lastMs: 0, by: "" };
}

export function withoutFormer({ former: _former, ...evaluator }: Evaluator): Evaluator {
  return evaluator;
}

export function withScales({ history, scales }: Past, happened: readonly Scale[]): Past {
  const news = happened.filter(({ intentId }) => !scales.has(intentId));
  return {
    history: news.reduce((past, { from, to, atMs }) => recordScale(past, from, to, atMs), history),
    scales: new Set([...scales, ...news.map(({ intentId }) => intentId)]),
  };
}

/** The same scales, learned of in another order, need not leave the same events: old ones go when a new one comes. */
export function distinct(pasts: readonly Past[]): readonly Past[] {
  if (pasts.length === 1) return pasts;
  const keyed = pasts.map((past) => {
    const { scaleUpEvents, scaleDownEvents, recommendations } = past.history;
    const key = [[...past.scales].sort(), scaleUpEvents, scaleDownEvents, recommendations];
    return [JSON.stringify(key), past] as const;
  });
  return [...new Map(keyed).values()];
}

/** The history after a decision, with its recommendation as one more sample. */
export function withSample(
  before: History,
  history: History,
  { instantMs, recommended, currentReplicas = 0, trace }: Decision,
): History {
  const first = history.recommendations.length > 0 && before.recommendations.length === 0;
  const sample = (replicas: number) => ({ replicas, firstMs: instantMs, lastMs: instantMs });
  const recommendations = [
    ...before.recommendations,
    ...(first ? [sample(currentReplicas)] : []),
    ...(recommended ? [sample(trace.limits?.recorded ?? trace.limits?.proposed ?? 0)] : []),
  ];
  return { ...history, recommendations };
}

/** The pasts with the latest recommendation of each given once more. */
export function repeated(pasts: readonly Past[], instantMs: number): readonly Past[] {
  return pasts.map((past) => ({ ...past, history: withRepeated(past.history, instantMs) }));
}

function withRepeated(history: History, instantMs: number): History {
  const latest = history.recommendations.at(-1);
  if (latest === undefined) return history;
  const again = { ...latest, firstMs: instantMs, lastMs: instantMs };
  return { ...history, recommendations: [...history.recommendations, again] };
}

export function throughCodec(history: History): History {
  const id = { hub: "storm", namespace: "", name: "" };
  const item = encodeState(id, { ...newState(""), history }, "");
  return decodeState(JSON.parse(JSON.stringify(item)))?.history ?? EMPTY_HISTORY;
}
