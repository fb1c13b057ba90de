import { publish } from "#app/publish";
import type { RunResult } from "#domain/cron/run-result";
import { runText } from "#domain/cron/run-text";
import { formatInstant } from "#domain/units/instant";
import { mainsheetEvent } from "#wire/events";
import type { CronDeps, CronTurn } from "./deps.ts";

/** Puts `CronRunFailed` on the bus for each run that was not done, or found too late. */
export async function publishFailures(
  { bus, log }: CronDeps,
  { id: { hub, namespace, name } }: CronTurn,
  results: readonly RunResult[],
): Promise<void> {
  if (bus === undefined) return;
  const failures = results.filter(({ outcome }) => outcome === "failed" || outcome === "missed");
  const events = failures.map((result) => {
    const { rule, instantMs } = result.run;
    const id = `${hub}:${namespace}/${name}:${rule.name}:${instantMs}`;
    const about = { rule: rule.name, scheduledAt: formatInstant(instantMs), message: runText(result) };
    return mainsheetEvent("CronRunFailed", { v: 1, id, hub, namespace, name, ...about }, result.executionMs);
  });
  await publish({ bus, log }, ...events);
}
