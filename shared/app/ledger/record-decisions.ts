import type { ReconcileDeps } from "#app/reconcile/deps";
import { hubFor } from "#app/reconcile/mode";
import type { DecidedFrom, Outcome, ShadowOutcome } from "#app/reconcile/outcome";
import { realOf } from "#app/reconcile/shadow";
import { decisivePart } from "#domain/scale/decisive-part";
import type { LedgerChoice } from "#domain/work/ledger";
import type { Compression } from "#ports/compression";
import { isPortFault, PortFault } from "#ports/fault";
import type { Item } from "#ports/table";
import { CODE_VERSION } from "#wire/code-version";
import {
  encodeDecisionRecord,
  encodeShadowFault,
  MAX_RECORD_BYTES,
  type RecordOptions,
  recordBodies,
  type ShadowMark,
} from "#wire/decision-record";
import { encodeFailureRecord } from "#wire/failure-record";
import type { ObjectId } from "#wire/keys";
import { type Decided, isRecorded, isShadowNews } from "./is-recorded.ts";

/** What the ledger needs beside the table. */
export interface Ledger {
  readonly choice: LedgerChoice;
  readonly retentionSeconds: number;
  readonly compression: Compression;
}

/** Below this, compression wins nothing: DynamoDB counts whole kilobytes. */
const SMALL = 1024;

/**
 * Puts the decisions of a message on record, each in one write, after everything that they led to is done. Best effort:
 * a fault is logged and fails nothing.
 */
export async function recordDecisions(
  deps: ReconcileDeps,
  { hub: hubName, dueAtMs }: { readonly hub: string; readonly dueAtMs: number },
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const { ledger } = deps;
  const hub = deps.hubs[hubName];
  if (ledger === undefined || hub === undefined) return;
  await Promise.all(
    [...outcomes].map(async ([object, outcome]) => {
      if (!("decision" in outcome)) return recordFailure(deps, ledger, hubName, object, dueAtMs, outcome);
      if (outcome.decidedFrom === undefined) return;
      const { snapshot } = outcome.decidedFrom;
      const { namespace, name } = snapshot.object;
      const id = { hub: hubName, namespace, name };
      const { mode } = hubFor(hub, snapshot.object);
      const { syncPeriodSeconds } = deps.policy;
      const isKept = isRecorded(outcome, snapshot, id, mode, ledger.choice, syncPeriodSeconds);
      const { shadow } = outcome;
      const isShadowKept =
        shadow !== undefined &&
        (isKept || isShadowNews(shadow, id, snapshot.instantMs, syncPeriodSeconds, ledger.choice));
      try {
        if (isKept) await put(deps, await itemOf(deps, ledger, id, outcome, outcome.decidedFrom));
        if (isShadowKept) await put(deps, await shadowItemOf(deps, ledger, id, outcome, shadow));
      } catch (error) {
        // Whatever it is, the scale has happened: a crash here would work the message again for nothing.
        const fault = error instanceof Error ? error.message : String(error);
        deps.log.warn("decision not put on record", { ...id, atMs: snapshot.instantMs, fault });
      }
    }),
  );
}

const FAILURES: Readonly<Partial<Record<Outcome["result"], string>>> = {
  failed: "",
  "out-of-time": "the invocation's time was up first",
  quarantined: "it is left alone for a while, since invocations died on it; mainsheet parked list has more",
};

/** Puts an evaluation that came to no decision on record, the first of each minute. */
async function recordFailure(
  deps: ReconcileDeps,
  { retentionSeconds }: Ledger,
  hub: string,
  object: string,
  atMs: number,
  outcome: Exclude<Outcome, Decided>,
): Promise<void> {
  const told = FAILURES[outcome.result];
  if (told === undefined) return;
  const [namespace = "", name = ""] = object.split("/");
  const message = outcome.result === "failed" ? outcome.message : told;
  const record = { atMs, result: outcome.result, message, code: CODE_VERSION };
  try {
    const item = encodeFailureRecord({ hub, namespace, name }, record, retentionSeconds);
    await deps.table.put(item, { if: "absent" });
  } catch (error) {
    if (!isPortFault(error)) throw error;
    if (error.kind === "conflict") return;
    deps.log.warn("failure not put on record", { hub, object, atMs, fault: error.message });
  }
}

function put({ table }: ReconcileDeps, item: Item): Promise<void> {
  return table.put(item, { if: "none" });
}

/** The item of a shadow's decision; one that could not be made is kept by its sentence. */
function shadowItemOf(
  deps: ReconcileDeps,
  ledger: Ledger,
  id: ObjectId,
  { decision: real }: Decided,
  shadow: ShadowOutcome,
): Promise<Item> | Item {
  const mark = { configMap: shadow.configMap, real: realOf(real) };
  if ("fault" in shadow) {
    const { retentionSeconds } = ledger;
    const { instantMs } = real;
    return encodeShadowFault(id, {
      instantMs,
      fault: shadow.fault,
      code: CODE_VERSION,
      retentionSeconds,
      mark,
    });
  }
  return itemOf(deps, ledger, id, { result: "shadow", decision: shadow.decision }, shadow.decidedFrom, mark);
}

/** The fullest form of the record that an item can hold. */
async function itemOf(
  { policy }: ReconcileDeps,
  { compression, retentionSeconds }: Ledger,
  id: ObjectId,
  { result, message, decision }: Pick<Decided, "message" | "decision"> & { readonly result: string },
  { snapshot, history }: DecidedFrom,
  shadow?: ShadowMark,
): Promise<Item> {
  const options: RecordOptions = {
    result,
    ...(message === undefined ? {} : { message }),
    code: CODE_VERSION,
    retentionSeconds,
    ...(shadow === undefined ? {} : { shadow }),
  };
  const saved = { v: 1, snapshot: decisivePart(snapshot), history, policy } as const;
  for (const body of recordBodies(decision, saved)) {
    const packed = body.text.length > SMALL;
    const text = packed ? await compression.compress(body.text) : body.text;
    const item = encodeDecisionRecord(id, decision, { ...body, text, packed }, options);
    if (item !== undefined) return item;
  }
  throw new PortFault("invalid", `even without its body it is larger than ${MAX_RECORD_BYTES} bytes`);
}
