import { countText } from "#domain/units/count-text";
import { durationText } from "#domain/units/duration-text";
import { formatInstant } from "#domain/units/instant";
import type { PlannedRun } from "./plan.ts";
import type { RunOutcome, RunResult } from "./run-result.ts";

/** An Event of a run, a start or a status write. */
export interface CronEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: CronReason;
  readonly message: string;
}

/**
 * Karmada's reasons, verbatim, because alerts depend on them (ScaleFailed, StartRuleFailed, UpdateStatusFailed,
 * UpdateCronFederatedHPAFailed), and ours for what it does not tell (D-25): ScaleSucceeded, ScaleSuperseded,
 * TargetShared, and MissSchedule, which is a CronJob's word for it.
 */
export type CronReason =
  | "ScaleSucceeded"
  | "ScaleSuperseded"
  | "ScaleFailed"
  | "MissSchedule"
  | "TargetShared"
  | "StartRuleFailed"
  | "UpdateStatusFailed"
  | "UpdateCronFederatedHPAFailed";

const REASONS: Readonly<Record<Exclude<RunOutcome, "observed">, CronReason>> = {
  applied: "ScaleSucceeded",
  overridden: "ScaleSucceeded",
  superseded: "ScaleSuperseded",
  failed: "ScaleFailed",
  missed: "MissSchedule",
};

/** Rules are looked at once a minute: what is done within it is not called late. */
const LATE_MS = 60_000;

/** The Event that tells a run; undefined for one that was only observed. */
export function runEvent(result: RunResult): CronEvent | undefined {
  if (result.outcome === "observed") return undefined;
  const type = result.outcome === "applied" || result.outcome === "overridden" ? "Normal" : "Warning";
  const { rule, instantMs } = result.run;
  const message = `rule ${rule.name}, due ${formatInstant(instantMs)}: ${runText(result)}`;
  return { type, reason: REASONS[result.outcome], message };
}

/** The Event of a run's first try that failed for a passing reason; later tries of it are not told. */
export function retryEvent({ rule, instantMs, untilMs }: PlannedRun, fault: string): CronEvent {
  const message = `rule ${rule.name}, due ${formatInstant(instantMs)}: ${fault}; tried again each minute until ${formatInstant(untilMs)}`;
  return { type: "Warning", reason: "ScaleFailed", message };
}

/** What came of a run, in words: what it found and set, how late it was, what it stands for. */
export function runText({ run, executionMs, message }: RunResult): string {
  const lateMs = executionMs - run.instantMs;
  const late = lateMs >= LATE_MS ? `, ${durationText(lateMs)} late` : "";
  const skipped = run.skipped > 0 ? `; ${countText(run.skipped, "earlier instant")} of the rule skipped` : "";
  return `${message}${late}${skipped}`;
}
