import { decideRuns, type RunVerdict } from "#domain/cron/decide-runs";
import type { PlannedRun } from "#domain/cron/plan";
import type { CronTarget, TargetWrite } from "#domain/cron/target";
import { isPortFault, type PortFault } from "#ports/fault";
import type { TargetAccess } from "./find-target.ts";

export type Written =
  | {
      readonly ok: true;
      /** The target as it was when the values were set, or found. */
      readonly before: CronTarget;
      /** Absent where it had them. */
      readonly write?: TargetWrite;
      readonly verdicts: readonly RunVerdict[];
    }
  | { readonly ok: false; readonly failure: Failure };

export interface Failure {
  readonly message: string;
  /**
   * - `never`    the same again fails again
   * - `later`    nothing was written, and it may work in a minute
   * - `unknown`  no answer: it may have been written
   */
  readonly again: "never" | "later" | "unknown";
}

/** As many as Karmada's RetryOnConflict (semantics 4.2). */
const TRIES = 5;

/** Sets what the runs want of a target; on a conflict the target is read again and it is decided anew, five tries in all. */
export async function writeTarget(
  access: TargetAccess,
  runs: readonly PlannedRun[],
  first: CronTarget,
): Promise<Written> {
  let before = first;
  for (let attempt = 1; ; attempt++) {
    const { verdicts, write } = decideRuns(
      runs.map((run) => ({ run })),
      before,
    );
    if (write === undefined) return { ok: true, before, verdicts };
    try {
      await access.write(before, write);
      return { ok: true, before, write, verdicts };
    } catch (error) {
      if (!isPortFault(error)) throw error;
      if (error.kind !== "conflict" || attempt === TRIES) {
        const again = error.kind === "unavailable" ? "unknown" : whenAgain(error);
        return { ok: false, failure: { message: error.message, again } };
      }
    }
    try {
      before = await access.read();
    } catch (error) {
      if (!isPortFault(error)) throw error;
      return { ok: false, failure: { message: error.message, again: whenAgain(error) } };
    }
  }
}

/** Whether what surely wrote nothing may work later: a missing target and a refusal do not go away in a minute. */
export function whenAgain({ kind }: PortFault): "never" | "later" {
  return kind === "missing" || kind === "denied" || kind === "invalid" ? "never" : "later";
}
