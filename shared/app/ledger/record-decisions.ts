import type { ReconcileDeps } from "#app/reconcile/deps";
import { hubFor } from "#app/reconcile/mode";
import type { Outcome } from "#app/reconcile/outcome";
import { decisivePart } from "#domain/scale/decisive-part";
import type { LedgerChoice } from "#domain/work/ledger";
import type { Compression } from "#ports/compression";
import { PortFault } from "#ports/fault";
import type { Item } from "#ports/table";
import { CODE_VERSION } from "#wire/code-version";
import {
  encodeDecisionRecord,
  MAX_RECORD_BYTES,
  type RecordOptions,
  recordBodies,
} from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";
import { type Decided, isRecorded } from "./is-recorded.ts";

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
  hubName: string,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const { ledger } = deps;
  const hub = deps.hubs[hubName];
  if (ledger === undefined || hub === undefined) return;
  await Promise.all(
    [...outcomes.values()].map(async (outcome) => {
      if (!("decision" in outcome) || outcome.decidedFrom === undefined) return;
      const { snapshot } = outcome.decidedFrom;
      const { namespace, name } = snapshot.object;
      const id = { hub: hubName, namespace, name };
      const { mode } = hubFor(hub, snapshot.object);
      const { syncPeriodSeconds } = deps.policy;
      if (!isRecorded(outcome, snapshot, id, mode, ledger.choice, syncPeriodSeconds)) return;
      try {
        const item = await itemOf(deps, ledger, id, outcome, outcome.decidedFrom);
        await deps.table.put(item, { if: "none" });
      } catch (error) {
        // Whatever it is, the scale has happened: a crash here would work the message again for nothing.
        const fault = error instanceof Error ? error.message : String(error);
        deps.log.warn("decision not put on record", { ...id, atMs: snapshot.instantMs, fault });
      }
    }),
  );
}

/** The fullest form of the record that an item can hold. */
async function itemOf(
  { policy }: ReconcileDeps,
  { compression, retentionSeconds }: Ledger,
  id: ObjectId,
  { result, message, decision }: Decided,
  { snapshot, history }: NonNullable<Decided["decidedFrom"]>,
): Promise<Item> {
  const options: RecordOptions = {
    result,
    ...(message === undefined ? {} : { message }),
    code: CODE_VERSION,
    retentionSeconds,
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
