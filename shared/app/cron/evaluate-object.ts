import type { CronState } from "#domain/cron/cron-state";
import { type CronPlan, planCron } from "#domain/cron/plan";
import type { RunResult } from "#domain/cron/run-result";
import { isPortFault } from "#ports/fault";
import { changeCronState, readCronState, saveCronState } from "./cron-store.ts";
import type { CronDeps, CronTurn } from "./deps.ts";
import { doRuns, type RunsDone } from "./do-runs.ts";
import { tell } from "./tell.ts";
import { warnSharedTarget } from "./warn-shared-target.ts";

/** What one evaluation of one object came to. */
export type CronOutcome =
  | {
      readonly result: "evaluated";
      /** Of the runs that it brought to an end. */
      readonly results: readonly RunResult[];
      /** Runs that are tried again. */
      readonly retried: number;
    }
  /** Another invocation is at it. */
  | { readonly result: "busy" }
  /** Not evaluated, or not to its end: the next evaluation looks at the same instants again. */
  | { readonly result: "failed"; readonly message: string };

const TRIES = 3;

/**
 * Evaluates one CronFederatedHPA: plan, remember, do, tell, forget. What is due is remembered before anything is done, so
 * that whatever dies in between, the next evaluation finds it and goes on (D-24). A fault is this object's outcome.
 */
export async function evaluateObject(deps: CronDeps, turn: CronTurn): Promise<CronOutcome> {
  try {
    const opened = await open(deps, turn);
    if (opened === undefined) return { result: "busy" };
    const { plan, state } = opened;
    for (const { rule, instantMs } of plan.forgotten) {
      deps.log.info("cron run dropped: its rule was changed", { ...turn.id, rule, atMs: instantMs });
    }
    const done = await doRuns(deps, turn, plan.runs);
    if (done === "busy") return { result: "busy" };
    const told = await tell(deps, turn, plan, done);
    if (plan.isChanged || done.wrote) await warnSharedTarget(deps, turn);
    await close(deps, turn, plan, state, done, told);
    return { result: "evaluated", results: done.results, retried: done.faults.size };
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { result: "failed", message: error.message };
  }
}

/** Remembers what is due; when another evaluation was first, what is left to do is planned anew. */
async function open(
  deps: CronDeps,
  turn: CronTurn,
): Promise<{ readonly plan: CronPlan; readonly state: CronState } | undefined> {
  let { state } = turn;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const beat = turn.beatUntilMs === undefined ? {} : { beatUntilMs: turn.beatUntilMs };
    const plan = planCron(turn.object, state === undefined ? beat : { ...beat, state }, turn.nowMs);
    if (!plan.isNews) return { plan, state: plan.state };
    try {
      return { plan, state: await saveCronState(deps, turn.id, plan.state) };
    } catch (error) {
      if (!isPortFault(error, "conflict")) throw error;
    }
    state = await readCronState(deps, turn.id);
  }
  return undefined;
}

/** Forgets what was told, and keeps why the rest was not done. */
async function close(
  deps: CronDeps,
  turn: CronTurn,
  plan: CronPlan,
  state: CronState,
  { results, untold, faults }: RunsDone,
  told: boolean,
): Promise<void> {
  const over = told ? [...untold, ...results].map(({ run }) => runKey(run.rule.name, run.instantMs)) : [];
  const why = new Map([...faults].map(([run, fault]) => [runKey(run.rule.name, run.instantMs), fault]));
  const toldFaults = told && turn.hub.mode === "active" ? plan.faulty.map(({ key }) => key) : [];
  if (over.length + why.size + toldFaults.length === 0) return;
  await changeCronState(deps, turn.id, state, (current) => ({
    ...current,
    open: current.open
      .filter(({ rule, instantMs }) => !over.includes(runKey(rule, instantMs)))
      .map((run) => {
        const fault = why.get(runKey(run.rule, run.instantMs));
        return fault === undefined ? run : { ...run, fault };
      }),
    rules: Object.fromEntries(
      Object.entries(current.rules).map(([key, rule]) => [
        key,
        toldFaults.includes(key) && rule.hash === state.rules[key]?.hash
          ? { ...rule, isFaultTold: true }
          : rule,
      ]),
    ),
  }));
}

function runKey(rule: string, instantMs: number): string {
  return `${rule}/${instantMs}`;
}
