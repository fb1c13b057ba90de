import { type Claim, isUntouched } from "./claim.ts";
import type { PlannedRun } from "./plan.ts";
import {
  type CronTarget,
  changeOf,
  crossedBounds,
  type TargetWrite,
  targetFault,
  writeOf,
} from "./target.ts";

/** What is to become of one run. */
export type RunVerdict =
  /** It is done by the write, or by what is there already. */
  | { readonly result: "apply" }
  /** An earlier invocation wrote it. */
  | { readonly result: "applied" }
  /** Done, but a later run of the same evaluation sets all that it would set. */
  | { readonly result: "overridden"; readonly by: PlannedRun }
  /** The target was changed after an earlier invocation began to write it: the later change stands. */
  | { readonly result: "superseded" }
  | { readonly result: "failed"; readonly message: string }
  /** Found too late, never tried. */
  | { readonly result: "missed" };

export interface RunsDecision {
  /** One for each run, in their order. */
  readonly verdicts: readonly RunVerdict[];
  /** One write for all runs that are to be done, of what changes; absent where nothing does. */
  readonly write?: TargetWrite;
  /** The runs that are done by it, or need none. */
  readonly done: readonly PlannedRun[];
}

/** A run, with the claim that an earlier invocation left on it without saying what came of it. */
export interface RunEntry {
  readonly run: PlannedRun;
  readonly claim?: Claim;
}

/**
 * What the open runs of an object make of its target. They count in their order: the later one wins, one write, all
 * recorded (D-26).
 *
 * A claimed run whose value is there was written; one whose target nobody has touched was not, and is done now; anything
 * else is superseded. A FederatedHPA is never left with its min above its max (B40): where all runs together would do
 * that, they are taken one by one, and those that would are failures.
 */
export function decideRuns(entries: readonly RunEntry[], target: CronTarget): RunsDecision {
  const claimed = entries.flatMap(({ run, claim }) => (claim === undefined ? [] : [run]));
  const landed = claimed.length > 0 && isEmpty(changeOf(target, merged(claimed, target)));
  const settled = new Map(entries.map((entry) => [entry.run, settle(entry, target, landed)]));
  const open = entries.map(({ run }) => run).filter((run) => settled.get(run) === undefined);

  const refused =
    crossedBounds(target, merged(open, target)) === undefined ? new Map() : refusals(open, target);
  const applied = open.filter((run) => !refused.has(run));
  const verdicts = entries.map(({ run }): RunVerdict => {
    const verdict = settled.get(run) ?? refused.get(run) ?? ({ result: "apply" } as const);
    if (verdict.result !== "apply" && verdict.result !== "applied") return verdict;
    const by = overriding(run, verdict.result === "apply" ? applied : claimed, target);
    return by === undefined ? verdict : { result: "overridden", by };
  });
  const write = changeOf(target, merged(applied, target));
  return { verdicts, done: applied, ...(isEmpty(write) ? {} : { write }) };
}

/** What is known of a run without writing; undefined for one that is to be done. */
function settle({ run, claim }: RunEntry, target: CronTarget, landed: boolean): RunVerdict | undefined {
  if (claim !== undefined && landed) return { result: "applied" };
  if (claim !== undefined && !isUntouched(claim, target)) return { result: "superseded" };
  if (run.isExpired) return expired(run, claim);
  const message = targetFault(run.rule, target.kind);
  return message === undefined ? undefined : { result: "failed", message };
}

/** What a run comes to whose time is up. */
export function expired(run: PlannedRun, claim?: Claim): RunVerdict {
  if (run.fault === undefined && claim === undefined) return { result: "missed" };
  return {
    result: "failed",
    message: `not done until the deadline: ${run.fault ?? "an invocation died on it"}`,
  };
}

function merged(runs: readonly PlannedRun[], { kind }: CronTarget): TargetWrite {
  return Object.assign({}, ...runs.map(({ rule }) => writeOf(rule, kind))) as TargetWrite;
}

function refusals(runs: readonly PlannedRun[], target: CronTarget): ReadonlyMap<PlannedRun, RunVerdict> {
  const refused = new Map<PlannedRun, RunVerdict>();
  let write: TargetWrite = {};
  for (const run of runs) {
    const next = { ...write, ...writeOf(run.rule, target.kind) };
    const crossed = crossedBounds(target, next);
    if (crossed === undefined) write = next;
    else
      refused.set(run, {
        result: "failed",
        message: `${crossed}; nothing was written, set both in one rule`,
      });
  }
  return refused;
}

/** The last run that sets what `run` sets, when nothing of `run` is left. */
function overriding(
  run: PlannedRun,
  runs: readonly PlannedRun[],
  { kind }: CronTarget,
): PlannedRun | undefined {
  const fields = Object.keys(writeOf(run.rule, kind));
  const later = runs.slice(runs.indexOf(run) + 1);
  const sets = (other: PlannedRun, field: string) => field in writeOf(other.rule, kind);
  if (!fields.every((field) => later.some((other) => sets(other, field)))) return undefined;
  return later.findLast((other) => fields.some((field) => sets(other, field)));
}

function isEmpty(write: TargetWrite): boolean {
  return Object.keys(write).length === 0;
}
