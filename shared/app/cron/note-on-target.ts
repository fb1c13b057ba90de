import type { RunResult } from "#domain/cron/run-result";
import { runText } from "#domain/cron/run-text";
import { isPortFault } from "#ports/fault";
import { encodeCronRunRecord } from "#wire/cron-run-record";
import type { CronDeps, CronTurn } from "./deps.ts";

/**
 * Puts a run on the FederatedHPA that it is for, beside its scales, so that its history tells it without knowing the
 * CronFederatedHPA. Before the run's own record: its key is the run, so twice is once. Best effort.
 */
export async function noteOnTarget(deps: CronDeps, turn: CronTurn, result: RunResult): Promise<void> {
  const { kind, name } = turn.object.scaleTargetRef;
  if (kind !== "FederatedHPA") return;
  const { hub, namespace } = turn.id;
  const { run, outcome, executionMs } = result;
  const record = {
    atMs: run.instantMs,
    executionMs,
    cron: turn.object.name,
    rule: run.rule.name,
    outcome,
    message: runText(result),
  };
  try {
    await deps.table.put(encodeCronRunRecord({ hub, namespace, name }, record), { if: "none" });
  } catch (error) {
    if (!isPortFault(error)) throw error;
    deps.log.warn("cron run not put on record at its target", {
      ...turn.id,
      atMs: run.instantMs,
      fault: error.message,
    });
  }
}
