import type { Intent } from "#domain/work/intent";
import { isPortFault } from "#ports/fault";
import { CODE_VERSION } from "#wire/code-version";
import { encodeLostDecision } from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";
import type { ReconcileDeps } from "./deps.ts";

/** Puts the decision of a run that died on record with as much as the intent tells; best effort, as all of the ledger. */
export async function recordLostDecision(
  deps: ReconcileDeps,
  id: ObjectId,
  intent: Intent,
  result: "scaled" | "unknown",
): Promise<void> {
  const { ledger } = deps;
  if (ledger === undefined) return;
  const { retentionSeconds } = ledger;
  try {
    const item = encodeLostDecision(id, intent, { result, code: CODE_VERSION, retentionSeconds });
    await deps.table.put(item, { if: "absent" });
  } catch (error) {
    if (!isPortFault(error)) throw error;
    if (error.kind === "conflict") return;
    deps.log.warn("decision not put on record", { ...id, atMs: intent.atMs, fault: error.message });
  }
}
