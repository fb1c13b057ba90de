import type { Decision } from "#domain/scale/decision";
import type { History } from "#domain/scale/history";
import type { Policy } from "#domain/scale/policy";
import { summary } from "#domain/scale/summary";
import type { Intent } from "#domain/work/intent";
import type { Item } from "#ports/table";
import { checkItem } from "./item.ts";
import { decodeJson, encodeJson } from "./json.ts";
import { decisionSortKey, type ObjectId, objectPartition, shadowSortKey } from "./keys.ts";
import { type PackedSnapshot, packPods, unpackPods } from "./packed-pods.ts";
import type { Loaded, SavedDecision } from "./saved-decision.ts";

/** One decision of the ledger, with all that it was computed from and what came of it. */
export interface DecisionRecord {
  readonly id: ObjectId;
  readonly atMs: number;
  /** As in the log: `scaled`, `unchanged`, `refused`, … */
  readonly result: string;
  /** Why the write did not (surely) happen. */
  readonly message?: string;
  /** The version of the code that decided. */
  readonly code: string;
  /** Absent where not even it had room. */
  readonly decision?: Decision;
  readonly inputs: Inputs;
  /** Of a decision that was never to be applied. */
  readonly shadow?: ShadowMark;
}

/** By which other spec a decision was made, and what the real one wanted at the same instant. */
export interface ShadowMark {
  readonly configMap: string;
  readonly real: { readonly to?: number; readonly summary: string };
}

/** What decides again to the same bytes, or why it was left out. */
export type Inputs =
  | { readonly replayable: true; readonly saved: SavedDecision }
  | { readonly replayable: false; readonly why: string };

/** The part of a record that is read without its body; enough for a list. */
export interface RecordHead {
  readonly atMs: number;
  readonly result: string;
  readonly message?: string;
  readonly code: string;
  readonly from?: number;
  readonly to?: number;
  /** Replicas by cluster as they were when it was decided; null where a cluster could not be read. */
  readonly clusters: Readonly<Record<string, number | null>>;
  readonly summary: string;
  readonly replayable: boolean;
  /** Why it is not replayable. */
  readonly cut?: string;
  readonly shadow?: ShadowMark;
}

/** Room for growth below DynamoDB's 400 KB. */
export const MAX_RECORD_BYTES = 350 * 1024;

const VERSION = 1;

/**
 * The forms in which a record may be kept, fullest first: whole, without its inputs, without its decision. Each is the
 * text of a body.
 */
export function recordBodies(decision: Decision, saved: SavedDecision): readonly RecordBody[] {
  const { snapshot, history, policy } = saved;
  const whole = encodeJson({ decision, snapshot: packPods(snapshot), history, policy });
  const bare = encodeJson({ decision });
  const why = whole.ok ? TOO_LARGE : `its inputs have no JSON: ${whole.fault.detail}`;
  return [
    ...(whole.ok ? [{ text: whole.value }] : []),
    ...(bare.ok ? [{ text: bare.value, cut: why }] : []),
    { text: "", cut: why },
  ];
}

const TOO_LARGE = `its inputs are larger than ${MAX_RECORD_BYTES / 1024} KB, compressed`;

export interface RecordBody {
  readonly text: string;
  readonly cut?: string;
}

export interface RecordOptions {
  readonly result: string;
  readonly message?: string;
  readonly code: string;
  readonly retentionSeconds: number;
  readonly shadow?: ShadowMark;
}

/** The item of a decision; `packed` says that `body.text` is compressed. Undefined where it is too large for one. */
export function encodeDecisionRecord(
  id: ObjectId,
  decision: Decision,
  body: RecordBody & { readonly packed: boolean },
  { result, message, code, retentionSeconds, shadow }: RecordOptions,
): Item | undefined {
  const { instantMs, uid, generation, currentReplicas, desiredReplicas, trace } = decision;
  const item: Item = {
    pk: objectPartition(id),
    sk: shadow === undefined ? decisionSortKey(instantMs) : shadowSortKey(instantMs),
    ...headOf(instantMs, retentionSeconds),
    uid,
    generation,
    result,
    message,
    code,
    from: currentReplicas,
    to: desiredReplicas,
    clusters: Object.fromEntries(
      trace.clusters.map(({ cluster, specReplicas }) => [cluster, specReplicas ?? null]),
    ),
    summary: summary(decision),
    shadow,
    replayable: body.cut === undefined,
    cut: body.cut,
    encoding: body.packed ? "br64" : "json",
    body: body.text,
  };
  const checked = checkItem(item);
  return checked.ok && checked.bytes <= MAX_RECORD_BYTES ? item : undefined;
}

const LOST = "the run that decided it died before it was put on record";

/** The item of a decision whose run died after its scale was announced: what the intent tells of it. */
export function encodeLostDecision(
  id: ObjectId,
  { atMs, generation, from, to, reason, cause }: Intent,
  { result, code, retentionSeconds }: Pick<RecordOptions, "result" | "code" | "retentionSeconds">,
): Item {
  return {
    pk: objectPartition(id),
    sk: decisionSortKey(atMs),
    ...headOf(atMs, retentionSeconds),
    generation,
    result,
    code,
    from,
    to,
    clusters: cause?.clusters ?? {},
    summary: cause?.summary ?? reason,
    replayable: false,
    cut: LOST,
  };
}

/** The item of a shadow that could not be decided by: its sentence, and what the real decision wanted. */
export function encodeShadowFault(
  id: ObjectId,
  {
    instantMs,
    fault,
    code,
    retentionSeconds,
    mark,
  }: Pick<RecordOptions, "code" | "retentionSeconds"> & {
    readonly instantMs: number;
    readonly fault: string;
    readonly mark: ShadowMark;
  },
): Item {
  return {
    pk: objectPartition(id),
    sk: shadowSortKey(instantMs),
    ...headOf(instantMs, retentionSeconds),
    result: "invalid",
    message: fault,
    code,
    clusters: {},
    summary: fault,
    shadow: mark,
    replayable: false,
    cut: fault,
  };
}

function headOf(instantMs: number, retentionSeconds: number) {
  return { ttl: Math.floor(instantMs / 1000) + retentionSeconds, v: VERSION, atMs: instantMs };
}

/** Undefined for a record of a newer version; see `decodeDecisionRecord`. */
export function decodeRecordHead(item: Item): RecordHead | undefined {
  if (item.v !== VERSION) return undefined;
  const { atMs, result, message, code, from, to, clusters, summary: told, replayable, cut, shadow } = item;
  return {
    ...{ atMs, result, message, code, from, to, clusters, summary: told, replayable, cut },
    ...(shadow === undefined ? {} : { shadow }),
  } as RecordHead;
}

/** The whole record of an item and the text of its body, which `bodyOf` names; or why it cannot be read. */
export function decodeDecisionRecord(id: ObjectId, item: Item, text: string): Loaded<DecisionRecord> {
  const { atMs, result, message, code, cut, v, shadow } = item;
  if (v !== VERSION) {
    const fault = `the record's version v is ${JSON.stringify(v)}, this version of Mainsheet reads ${VERSION}; use the version that wrote it`;
    return { ok: false, fault };
  }
  const optional = {
    ...(message === undefined ? {} : { message }),
    ...(shadow === undefined ? {} : { shadow }),
  };
  const head = { id, atMs, result, code, ...optional } as Omit<DecisionRecord, "inputs">;
  if (text === "") return { ok: true, value: { ...head, inputs: notReplayable(cut) } };
  const json = decodeJson(text);
  if (!json.ok) return { ok: false, fault: json.fault.detail };
  const { decision, snapshot, history, policy } = json.value as Body;
  if (snapshot === undefined || history === undefined || policy === undefined) {
    return { ok: true, value: { ...head, decision, inputs: notReplayable(cut) } };
  }
  const saved = { v: 1, snapshot: unpackPods(snapshot), history, policy } as const;
  return { ok: true, value: { ...head, decision, inputs: { replayable: true, saved } } };
}

/** An item's body as it is kept. */
export function bodyOf(item: Item): { readonly text: string; readonly packed: boolean } {
  return { text: typeof item.body === "string" ? item.body : "", packed: item.encoding === "br64" };
}

interface Body {
  readonly decision: Decision;
  readonly snapshot?: PackedSnapshot;
  readonly history?: History;
  readonly policy?: Policy;
}

function notReplayable(cut: unknown): Inputs {
  return { replayable: false, why: typeof cut === "string" ? cut : "it was recorded without its inputs" };
}
