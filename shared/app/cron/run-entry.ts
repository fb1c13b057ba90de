import type { Claim } from "#domain/cron/claim";
import { LEASE_MS } from "#domain/cron/claim";
import type { PlannedRun } from "#domain/cron/plan";
import type { RunResult } from "#domain/cron/run-result";
import type { CronTarget } from "#domain/cron/target";
import { isPortFault } from "#ports/fault";
import { readRuns, saveRun } from "./cron-store.ts";
import type { CronDeps, CronTurn } from "./deps.ts";

/** An open run with what the table says of it. */
export interface RunEntry {
  readonly run: PlannedRun;
  /** Of its record; 0 where there is none. */
  readonly version: number;
  /** Someone began to write it and did not say what came of it. */
  readonly claim?: Claim;
  /** What came of it; it only has to be told. */
  readonly result?: RunResult;
}

/** The runs with their records, read consistently. */
export async function readEntries(
  deps: CronDeps,
  turn: CronTurn,
  runs: readonly PlannedRun[],
): Promise<readonly RunEntry[]> {
  const keys = runs.map(({ rule, instantMs }) => ({ rule: rule.name, instantMs }));
  const records = await readRuns(deps, turn.id, keys);
  return runs.map((run, i): RunEntry => {
    const record = records[i];
    if (record === undefined) return { run, version: 0 };
    const { version, uid, claim, outcome, executionMs = 0, from, message = "" } = record;
    if (uid !== turn.object.uid) return { run, version };
    if (outcome === undefined) return claim === undefined ? { run, version } : { run, version, claim };
    const before = from === undefined ? {} : { from };
    return { run, version, result: { run, outcome, executionMs, ...before, message } };
  });
}

/**
 * Claims the runs for this invocation, in their order; undefined when another has one of them, which then has them all.
 */
export async function claimRuns(
  deps: CronDeps,
  turn: CronTurn,
  entries: readonly RunEntry[],
  { uid, generation }: CronTarget,
): Promise<readonly RunEntry[] | undefined> {
  const startedMs = deps.clock.nowMs();
  const claim = { startedMs, leaseUntilMs: startedMs + LEASE_MS, target: { uid, generation } };
  const claimed: RunEntry[] = [];
  for (const entry of entries) {
    try {
      const { version } = await saveRun(deps, turn.id, { ...recordOf(turn, entry), claim });
      claimed.push({ run: entry.run, version, claim });
    } catch (error) {
      if (isPortFault(error, "conflict")) return undefined;
      throw error;
    }
  }
  return claimed;
}

/** Says that the claimed runs wrote nothing, so that the next try begins afresh. */
export async function releaseRuns(
  deps: CronDeps,
  turn: CronTurn,
  entries: readonly RunEntry[],
): Promise<void> {
  await Promise.all(entries.map((entry) => saveRun(deps, turn.id, recordOf(turn, entry))));
}

/** Puts on record what came of a run; false when another invocation has taken it over meanwhile. */
export async function recordResult(
  deps: CronDeps,
  turn: CronTurn,
  entry: RunEntry,
  { outcome, executionMs, from, message }: RunResult,
): Promise<boolean> {
  const { claim } = entry;
  try {
    await saveRun(deps, turn.id, {
      ...recordOf(turn, entry),
      ...(claim === undefined ? {} : { claim }),
      outcome,
      executionMs,
      ...(from === undefined ? {} : { from }),
      message,
    });
    return true;
  } catch (error) {
    if (isPortFault(error, "conflict")) return false;
    throw error;
  }
}

function recordOf({ object }: CronTurn, { run, version }: RunEntry) {
  const { rule, instantMs, skipped } = run;
  return { version, uid: object.uid, rule: rule.name, instantMs, skipped };
}
