import type { Decision } from "#domain/scale/decision";
import type { CronRunRecord } from "./cron-run-record.ts";
import type { DecisionRecord, ShadowMark } from "./decision-record.ts";
import type { FailureRecord } from "./failure-record.ts";
import { decodeJson, encodeJson } from "./json.ts";
import type { ObjectId } from "./keys.ts";
import { decodeSavedDecision, type Loaded } from "./saved-decision.ts";
import type { ScaleRecord } from "./scale-record.ts";

/**
 * The ledger as lines of JSON for other tools: `kind` is `scale`, `cron`, `failure`, `decision`, or `shadow`, a
 * decision by an object's other spec. A decision's line with its inputs is a
 * saved decision too (docs/snapshot.md), so that `explain --snapshot` reads it.
 */
export function exportScale({ hub, namespace, name }: ObjectId, scale: ScaleRecord): Loaded<string> {
  return line({ v: 1, kind: "scale", hub, namespace, name, ...scale });
}

export function exportDecision({ id, inputs, ...record }: DecisionRecord): Loaded<string> {
  const { replayable } = inputs;
  const rest = inputs.replayable ? inputs.saved : { why: inputs.why };
  const kind = record.shadow === undefined ? "decision" : "shadow";
  return line({ v: 1, kind, ...id, ...record, replayable, ...rest });
}

export function exportCronRun({ hub, namespace, name }: ObjectId, run: CronRunRecord): Loaded<string> {
  return line({ v: 1, kind: "cron", hub, namespace, name, ...run });
}

export function exportFailure({ hub, namespace, name }: ObjectId, failure: FailureRecord): Loaded<string> {
  return line({ v: 1, kind: "failure", hub, namespace, name, ...failure });
}

const NO_DECISIONS = ["scale", "cron", "failure"];

/** A line as `exportDecision` wrote it; undefined for one of another kind. */
export function decodeExported(text: string): Loaded<DecisionRecord | undefined> {
  const json = decodeJson(text);
  if (!json.ok) return { ok: false, fault: json.fault.detail };
  const read = (typeof json.value === "object" ? json.value : null) as Partial<Exported> | null;
  const v = read?.v;
  if (v !== 1) {
    const fault =
      v === undefined
        ? "it is no record of a decision; mainsheet export writes them"
        : `its version v is ${JSON.stringify(v)}, this version of Mainsheet reads 1; use the version that wrote it`;
    return { ok: false, fault };
  }
  if (NO_DECISIONS.includes(String(read?.kind))) return { ok: true, value: undefined };
  if (read?.kind !== "decision" && read?.kind !== "shadow") {
    return { ok: false, fault: "it is no record of a decision; explain --snapshot decides a saved snapshot" };
  }
  const {
    hub = "",
    namespace = "",
    name = "",
    atMs = 0,
    result = "",
    code = "?",
    decision,
    why,
    shadow,
  } = read;
  const record = {
    id: { hub, namespace, name },
    atMs,
    result,
    code,
    ...(decision === undefined ? {} : { decision }),
    ...(shadow === undefined ? {} : { shadow }),
  };
  if (read.replayable === false) {
    return { ok: true, value: { ...record, inputs: { replayable: false, why: why ?? "it says not why" } } };
  }
  const saved = decodeSavedDecision(text);
  if (!saved.ok) return saved;
  const { snapshot, history, policy } = saved.value;
  return {
    ok: true,
    value: { ...record, inputs: { replayable: true, saved: { v: 1, snapshot, history, policy } } },
  };
}

interface Exported extends ObjectId {
  readonly v: unknown;
  readonly kind: string;
  readonly atMs: number;
  readonly result: string;
  readonly code: string;
  readonly decision: Decision;
  readonly replayable: boolean;
  readonly why: string;
  readonly shadow: ShadowMark;
}

function line(value: object): Loaded<string> {
  const text = encodeJson(value);
  return text.ok ? text : { ok: false, fault: text.fault.detail };
}
