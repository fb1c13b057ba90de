import type { RunOutcome, RunResult } from "#domain/cron/run-result";
import { runText } from "#domain/cron/run-text";
import type { CronDeps, CronTurn } from "./deps.ts";

const WARNINGS: readonly RunOutcome[] = ["failed", "missed", "superseded"];

/** One line for each run, when what came of it is on record. */
export function logRun(deps: CronDeps, { id, object }: CronTurn, result: RunResult): void {
  const { run, outcome, executionMs } = result;
  const { kind, name } = object.scaleTargetRef;
  deps.log[WARNINGS.includes(outcome) ? "warn" : "info"]("cron run", {
    hub: id.hub,
    object: `${id.namespace}/${id.name}`,
    rule: run.rule.name,
    atMs: run.instantMs,
    executionMs,
    result: outcome,
    target: `${kind}/${name}`,
    skipped: run.skipped,
    why: runText(result),
  });
}
