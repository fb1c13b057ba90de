import { decideRuns, expired, type RunVerdict } from "#domain/cron/decide-runs";
import type { PlannedRun } from "#domain/cron/plan";
import { type RunResult, runResult } from "#domain/cron/run-result";
import type { CronTarget, TargetWrite } from "#domain/cron/target";
import { isPortFault } from "#ports/fault";
import type { CronDeps, CronTurn } from "./deps.ts";
import { findTarget, type TargetAccess } from "./find-target.ts";
import { logRun } from "./log-run.ts";
import { noteOnTarget } from "./note-on-target.ts";
import { claimRuns, type RunEntry, readEntries, recordResult, releaseRuns } from "./run-entry.ts";
import { triggerReconcile } from "./trigger-reconcile.ts";
import { type Failure, whenAgain, writeTarget } from "./write-target.ts";

/** What came of an object's open runs. */
export interface RunsDone {
  /** Of those that this invocation brought to an end. */
  readonly results: readonly RunResult[];
  /** Of those that an earlier one did, and did not get to tell; or another, which is about to. */
  readonly untold: readonly RunResult[];
  /** Why the others were not done; they are tried again in a minute. */
  readonly faults: ReadonlyMap<PlannedRun, string>;
  /** Whether the target was written. */
  readonly wrote?: true;
}

const NONE: RunsDone = { results: [], untold: [], faults: new Map() };

/**
 * Does the open runs of an object: reads the target, decides, claims, writes once, puts on record. "busy" while another
 * invocation has claimed one of them.
 */
export async function doRuns(
  deps: CronDeps,
  turn: CronTurn,
  runs: readonly PlannedRun[],
): Promise<RunsDone | "busy"> {
  if (runs.length === 0) return NONE;
  const entries = await readEntries(deps, turn, runs);
  const nowMs = deps.clock.nowMs();
  if (entries.some(({ claim, result }) => !result && claim && claim.leaseUntilMs > nowMs)) return "busy";
  const untold = entries.flatMap(({ result }) => result ?? []);
  const open = entries.filter(({ result }) => result === undefined);
  const done = open.length === 0 ? NONE : await doOpen(deps, turn, open);
  return done === "busy" ? done : { ...done, untold };
}

async function doOpen(
  deps: CronDeps,
  turn: CronTurn,
  entries: readonly RunEntry[],
): Promise<RunsDone | "busy"> {
  const found = await openTarget(turn);
  if (!found.ok) return afterFailure(deps, turn, entries, found.failure);
  const { access, target } = found;
  const { verdicts, write, done } = decideRuns(entries, target);
  const isPending = ({ run }: RunEntry) =>
    write !== undefined && turn.hub.mode === "active" && done.includes(run);
  const settled = entries.flatMap((entry, i) => (isPending(entry) ? [] : [[entry, verdicts[i]] as const]));
  const results = await record(deps, turn, settled, target, write);
  const pending = entries.filter(isPending);
  if (pending.length === 0 || turn.isOutOfTime()) return { ...NONE, results };

  const claimed = await claimRuns(deps, turn, pending, target);
  if (claimed === undefined) return "busy";
  const written = await writeTarget(access, done, target);
  if (!written.ok) {
    if (written.failure.again === "later") await releaseRuns(deps, turn, claimed);
    const after = await afterFailure(deps, turn, claimed, written.failure);
    return { ...after, results: [...results, ...after.results] };
  }
  const judged = claimed.map((entry, i) => [entry, written.verdicts[i]] as const);
  const more = await record(deps, turn, judged, written.before, written.write);
  if (target.kind === "bounds" && written.write !== undefined) await triggerReconcile(deps, turn);
  const ended = { ...NONE, results: [...results, ...more] };
  return written.write === undefined ? ended : { ...ended, wrote: true };
}

type Opened =
  | { readonly ok: true; readonly access: TargetAccess; readonly target: CronTarget }
  | { readonly ok: false; readonly failure: Failure };

async function openTarget(turn: CronTurn): Promise<Opened> {
  try {
    const found = await findTarget(turn);
    if (!found.ok) return { ok: false, failure: { message: found.message, again: "never" } };
    return { ok: true, access: found.access, target: await found.access.read() };
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { ok: false, failure: { message: error.message, again: whenAgain(error) } };
  }
}

/** What a failure makes of the runs: those whose time is up and those that it ends are on record, the others go on. */
async function afterFailure(
  deps: CronDeps,
  turn: CronTurn,
  entries: readonly RunEntry[],
  { message, again }: Failure,
): Promise<RunsDone> {
  const over = entries.flatMap((entry): Judged[] => {
    if (entry.run.isExpired) return [[entry, expired(entry.run, entry.claim)]];
    return again === "never" ? [[entry, { result: "failed", message }]] : [];
  });
  const results = await record(deps, turn, over);
  const others = entries.filter((entry) => !over.some(([ended]) => ended === entry));
  return { ...NONE, results, faults: new Map(others.map(({ run }) => [run, message])) };
}

type Judged = readonly [RunEntry, RunVerdict | undefined];

async function record(
  deps: CronDeps,
  turn: CronTurn,
  judged: readonly Judged[],
  before?: CronTarget,
  write?: TargetWrite,
): Promise<RunResult[]> {
  const executionMs = Math.max(deps.clock.nowMs(), turn.nowMs);
  const { kind, name } = turn.object.scaleTargetRef;
  const about = { target: `${kind} ${name}`, before, write, isObserved: turn.hub.mode === "observe" };
  const recorded = await Promise.all(
    judged.map(async ([entry, verdict]) => {
      if (verdict === undefined) return [];
      const result = runResult(entry.run, verdict, executionMs, about);
      await noteOnTarget(deps, turn, result);
      if (!(await recordResult(deps, turn, entry, result))) return [];
      logRun(deps, turn, result);
      return [result];
    }),
  );
  return recorded.flat();
}
