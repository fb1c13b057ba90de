import { formatInstant } from "#domain/units/instant";
import type { RunVerdict } from "./decide-runs.ts";
import type { PlannedRun } from "./plan.ts";
import { type CronTarget, changeText, type TargetWrite, valuesText } from "./target.ts";

/** What came of a run. It is told in the object's status and Events, and kept in the table. */
export interface RunResult {
  readonly run: PlannedRun;
  readonly outcome: RunOutcome;
  /** When it was done or given up. */
  readonly executionMs: number;
  /** The target before, as far as it was read: `replicas 5`, `minReplicas 2, maxReplicas 10`. */
  readonly from?: string;
  /** What was set, or why nothing was. */
  readonly message: string;
}

/**
 * - `applied`     the target has the rule's values
 * - `overridden`  done, but a later run of the same evaluation sets all that it would set
 * - `superseded`  the target was changed meanwhile, and keeps that
 * - `failed`      not done, and not tried again
 * - `missed`      found too late
 * - `observed`    would have been done; this object is only observed
 */
export type RunOutcome = "applied" | "overridden" | "superseded" | "failed" | "missed" | "observed";

export function isSuccess({ outcome }: RunResult): boolean {
  return outcome === "applied" || outcome === "overridden";
}

/** What a verdict was made of. */
export interface RunContext {
  /** `Deployment web` */
  readonly target: string;
  readonly before: CronTarget | undefined;
  /** The one write of all runs. */
  readonly write: TargetWrite | undefined;
  readonly isObserved: boolean;
}

/** The result of a run whose verdict has come true. */
export function runResult(
  run: PlannedRun,
  verdict: RunVerdict,
  executionMs: number,
  context: RunContext,
): RunResult {
  const { before, isObserved } = context;
  const isDone = verdict.result === "apply" || verdict.result === "overridden";
  const done = verdict.result === "apply" ? "applied" : verdict.result;
  return {
    run,
    outcome: isObserved && isDone ? "observed" : done,
    executionMs,
    ...(before === undefined ? {} : { from: valuesText(before) }),
    message: messageOf(verdict, context),
  };
}

function messageOf(verdict: RunVerdict, { target, before, write, isObserved }: RunContext): string {
  const has = before === undefined ? target : `${target} has ${valuesText(before)}`;
  switch (verdict.result) {
    case "apply":
      if (before === undefined || write === undefined) return `${has} already`;
      return `${target}${isObserved ? " would be set" : ""}: ${changeText(before, write)}`;
    case "applied":
      return `${has}, as an earlier invocation wrote it`;
    case "overridden": {
      const { rule, instantMs } = verdict.by;
      return `rule ${rule.name}, due ${formatInstant(instantMs)}, comes later and sets ${target} instead`;
    }
    case "superseded":
      return `${has}: it was changed after the run began, and that stands`;
    case "missed":
      return "not run: it was found after its deadline";
    case "failed":
      return verdict.message;
  }
}
