import type { Story, Violation } from "#test/storm/facts";
import { RECOVERY_SECONDS } from "#test/storm/plan";
import { decodeCronFederatedHpa } from "#wire/cron-federated-hpa";
import { decodeCronState, decodeRun, type RunRecord } from "#wire/cron-state";

const MINUTE_MS = 60_000;

/**
 * I6, for cron: once all is well, every minute is evaluated, nothing is left open of a run that was due before the last
 * minute, and the status of each object tells of the latest run of each of its rules. (Not of one that was done before
 * its object was edited: an edit between a run and its report leaves the run in the table alone.)
 */
export function cronWellAgain(story: Story): readonly Violation[] {
  const { facts, items, crons, calmMs, endMs } = story;
  const violations: Violation[] = [];
  const say = (clause: string, text: string) =>
    violations.push({ invariant: "I6", clause, atMs: endMs, text });

  const evaluated = new Set<number>();
  const touched = new Map<string, number>();
  /** When each run was last written: by a clock that is ahead, before it was due (seed 3128 of 5 minutes). */
  const writtenMs = new Map<string, number>();
  for (const fact of facts) {
    if (fact.what === "cron-specified") touched.set(fact.uid, fact.atMs);
    if (fact.what === "run") writtenMs.set(runKey(fact.run), fact.atMs);
    if (fact.what === "cron-evaluated" && fact.outcome.result === "evaluated") evaluated.add(fact.dueAtMs);
  }
  const firstMs = Math.ceil((calmMs + RECOVERY_SECONDS * 1000) / MINUTE_MS) * MINUTE_MS;
  for (let minute = firstMs; minute + MINUTE_MS / 2 < endMs; minute += MINUTE_MS)
    if (!evaluated.has(minute)) say("cron-not-evaluated", `no evaluation for ${timeOf(minute)}`);

  for (const raw of crons) {
    const { namespace, name, uid, rules, executionHistories } = decodeCronFederatedHpa(raw);
    const own = items.filter(({ pk }) => pk.endsWith(`#${namespace}/${name}`) && pk.startsWith("cron#"));
    const item = own.find(({ sk }) => sk === "state");
    const state = item && decodeCronState(item);
    if (state?.uid !== uid) {
      say("cron-untrue", `${namespace}/${name} has no state of its own`);
      continue;
    }
    for (const { rule, instantMs } of state.open)
      if (instantMs < endMs - MINUTE_MS) say("cron-open", `${name} rule ${rule} of ${timeOf(instantMs)}`);
    const runs = own.filter(({ sk }) => sk.startsWith("run#")).map(decodeRun);
    for (const { name: rule } of rules) {
      const done = runs.filter((run) => run.uid === uid && run.rule === rule && isSuccess(run.outcome));
      const latest = done.reduce<RunRecord | undefined>(lastExecuted, undefined);
      if (latest === undefined || latest.instantMs >= endMs - MINUTE_MS) continue;
      const { instantMs } = latest;
      const doneMs = Math.min(instantMs, writtenMs.get(runKey(latest)) ?? instantMs);
      if (doneMs <= (touched.get(uid) ?? 0)) continue;
      const told = executionHistories.find(({ ruleName }) => ruleName === rule)?.successfulExecutions ?? [];
      if (!told.some(({ scheduleMs }) => scheduleMs === instantMs))
        say("cron-untrue", `the status of ${name} does not tell of rule ${rule} at ${timeOf(instantMs)}`);
    }
  }
  return violations;
}

/** A status keeps what was executed last, which a run that was late may be (seed 2770 of 5 minutes). */
function lastExecuted(last: RunRecord | undefined, run: RunRecord): RunRecord {
  if (last === undefined) return run;
  const later = executionSecond(run) - executionSecond(last) || run.instantMs - last.instantMs;
  return later > 0 ? run : last;
}

function executionSecond({ instantMs, executionMs = instantMs }: RunRecord): number {
  return Math.floor(executionMs / 1000);
}

function runKey({ uid, rule, instantMs }: Pick<RunRecord, "uid" | "rule" | "instantMs">): string {
  return `${uid} ${rule} ${instantMs}`;
}

function isSuccess(outcome: string | undefined): boolean {
  return outcome === "applied" || outcome === "overridden";
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
