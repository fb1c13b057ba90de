import type { CronPlan } from "#domain/cron/plan";
import type { RunResult } from "#domain/cron/run-result";
import { type CronEvent, retryEvent, runEvent } from "#domain/cron/run-text";
import { isPortFault, type PortFault } from "#ports/fault";
import type { CronDeps, CronTurn } from "./deps.ts";
import type { RunsDone } from "./do-runs.ts";
import { emitCronEvent } from "./emit-cron-event.ts";
import { publishFailures } from "./publish-failures.ts";
import { writeCronStatus } from "./write-cron-status.ts";

/**
 * Tells on the object what came of its runs: an Event for each, and the status. False when the hub did not take it: then
 * the runs stay open and the next evaluation tells them; both are there only once, however often they are told.
 */
export async function tell(
  deps: CronDeps,
  turn: CronTurn,
  plan: CronPlan,
  { results: ended, untold, faults }: RunsDone,
): Promise<boolean> {
  const { nowMs } = turn;
  const results = [...untold, ...ended];
  const failures = plan.faulty.map(({ rule, detail }) => ({ rule, atMs: nowMs, message: detail }));
  try {
    for (const { event, about } of eventsOf(plan, results, faults)) {
      await emitCronEvent(deps, turn, event, about);
    }
    await writeCronStatus(turn, { results, failures, nextMs: plan.nextMs });
    await publishFailures(deps, turn, results);
    return true;
  } catch (error) {
    if (!isPortFault(error)) throw error;
    await complain(deps, turn, plan, error);
    return false;
  }
}

function eventsOf(plan: CronPlan, results: readonly RunResult[], faults: RunsDone["faults"]) {
  const events: { readonly event: CronEvent; readonly about: string }[] = [];
  for (const result of results) {
    const event = runEvent(result);
    const { rule, instantMs } = result.run;
    if (event) events.push({ event, about: `${rule.name}/${instantMs}` });
  }
  for (const [run, fault] of faults) {
    if (run.fault !== undefined) continue;
    events.push({ event: retryEvent(run, fault), about: `${run.rule.name}/${run.instantMs}/again` });
  }
  for (const { key, rule, detail } of plan.faulty) {
    const message = `rule ${rule.name}: ${detail}`;
    const hash = plan.state.rules[key]?.hash;
    events.push({ event: { type: "Warning", reason: "StartRuleFailed", message }, about: `${key}/${hash}` });
  }
  return events;
}

/** Says that the status could not be written, in Karmada's words; when the hub does not take that either, the log does. */
async function complain(deps: CronDeps, turn: CronTurn, plan: CronPlan, fault: PortFault): Promise<void> {
  const { message } = fault;
  deps.log.warn("cron status or Event not written; the next evaluation writes it", {
    ...turn.id,
    fault: message,
  });
  const run = plan.runs.at(-1);
  const reason = run === undefined ? "UpdateCronFederatedHPAFailed" : "UpdateStatusFailed";
  const about = run === undefined ? String(turn.object.generation) : `${run.rule.name}/${run.instantMs}`;
  try {
    await emitCronEvent(deps, turn, { type: "Warning", reason, message }, about);
  } catch (error) {
    if (!isPortFault(error)) throw error;
  }
}
