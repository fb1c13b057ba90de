import type { CronFederatedHpa, CronRule, ExecutionHistory } from "#domain/spec/cron-federated-hpa";
import { type CronState, newCronState, type OpenRun } from "./cron-state.ts";
import { cronDeadline } from "./deadline.ts";
import { dueOccurrences, nextOccurrence } from "./occurrences.ts";
import { type StartedRule, startRules } from "./start-rules.ts";

/** What one evaluation of one CronFederatedHPA has to do. */
export interface CronPlan {
  /** What is to be remembered before anything is done. */
  readonly state: CronState;
  /** Whether `state` says more than what is stored, beside how far it was evaluated. */
  readonly isNews: boolean;
  /** Whether a rule is new or changed. */
  readonly isChanged: boolean;
  /** Every open run in the order in which it takes effect: by instant, then by place in the list. */
  readonly runs: readonly PlannedRun[];
  /** Rules that cannot be started, which the object does not say yet. */
  readonly faulty: readonly FaultyRule[];
  /** Open runs whose rule was changed, suspended or removed meanwhile. */
  readonly forgotten: readonly OpenRun[];
  /** When each rule runs next, by name; none for a rule that is suspended or cannot be started. */
  readonly nextMs: ReadonlyMap<string, number>;
}

export interface PlannedRun extends Omit<OpenRun, "rule"> {
  readonly rule: CronRule;
  /** Its time is up: nothing is written for it any more. */
  readonly isExpired: boolean;
}

export interface FaultyRule {
  readonly rule: CronRule;
  readonly key: string;
  /** What is wrong and what to write instead. */
  readonly detail: string;
}

/** What is known of an object before this evaluation. */
export interface CronMemory {
  readonly state?: CronState;
  /** The instant up to which the hub's heartbeat says that this object was evaluated, if there is one. */
  readonly beatUntilMs?: number;
}

/**
 * Looks at every rule over (last evaluated, now]. A rule that was due more than once runs once, for its latest instant,
 * if that is within the deadline (B73, B74); a suspended one passes (B77); a changed one forgets what it was (B76).
 */
export function planCron(object: CronFederatedHpa, memory: CronMemory, nowMs: number): CronPlan {
  const { state: stored } = memory;
  const known = stored?.uid === object.uid ? stored : undefined;
  const former = known ?? { ...newCronState(object.uid), version: stored?.version ?? 0 };
  const evaluatedMs = Math.max(former.evaluatedUntilMs, memory.beatUntilMs ?? 0);
  const { deadlineMs } = cronDeadline(object.annotations);
  const started = startRules(object.rules, former, nowMs);

  const { kept, forgotten } = keepOpen(former.open, started);
  const due = started.flatMap((each): OpenRun[] => {
    if (!each.timetable?.ok) return [];
    const sinceMs = each.isKnown
      ? evaluatedMs
      : Math.max(evaluatedMs, newRuleSinceMs(object, each, known === undefined, nowMs - deadlineMs));
    const found = dueOccurrences(each.timetable.value, sinceMs, nowMs);
    if (found === undefined) return [];
    const { count, latestMs } = found;
    const { hash } = each.state;
    return [
      {
        rule: each.rule.name,
        hash,
        instantMs: latestMs,
        skipped: count - 1,
        untilMs: latestMs + deadlineMs,
      },
    ];
  });
  const open = [...kept, ...due];
  const rules = Object.fromEntries(started.map(({ key, state }) => [key, state]));
  const isChanged = started.some(({ isKnown }) => !isKnown);
  return {
    state: { ...former, evaluatedUntilMs: nowMs, rules, open },
    isNews:
      known === undefined ||
      due.length + forgotten.length > 0 ||
      isChanged ||
      Object.keys(known.rules).length !== started.length,
    isChanged,
    runs: inOrder(open, object.rules, nowMs),
    faulty: started.flatMap(faultyRule),
    forgotten,
    nextMs: nextInstants(started, nowMs),
  };
}

/** As many executions as the longest history holds; a run that cannot be told pushes out the oldest of its rule. */
const MOST_OPEN = 32;

/** A run goes on while its rule is as it was. */
function keepOpen(all: readonly OpenRun[], started: readonly StartedRule[]) {
  const open = all.filter(
    (run, i) => all.slice(i).filter(({ rule }) => rule === run.rule).length <= MOST_OPEN,
  );
  const isSame = (run: OpenRun) =>
    started.some(({ key, state }) => key === run.rule && state.hash === run.hash);
  return { kept: open.filter(isSame), forgotten: all.filter((run) => !open.includes(run) || !isSame(run)) };
}

/**
 * From when on a rule that was not known counts: not before it was written. On an object that is seen for the first time,
 * someone else may have run it, as the status tells; and what lies beyond the deadline was nobody's to do.
 */
function newRuleSinceMs(
  object: CronFederatedHpa,
  { rule }: StartedRule,
  isFirstSight: boolean,
  earliestMs: number,
): number {
  const writtenMs = Math.max(object.createdMs, object.specWrittenMs ?? 0);
  if (!isFirstSight) return writtenMs;
  const history = object.executionHistories.find(({ ruleName }) => ruleName === rule.name);
  return Math.max(writtenMs, earliestMs, history === undefined ? 0 : lastScheduleMs(history));
}

function lastScheduleMs({ successfulExecutions, failedExecutions }: ExecutionHistory): number {
  return Math.max(0, ...[...successfulExecutions, ...failedExecutions].map(({ scheduleMs }) => scheduleMs));
}

function inOrder(open: readonly OpenRun[], rules: readonly CronRule[], nowMs: number): PlannedRun[] {
  const places = new Map(rules.map((rule, place) => [rule.name, { rule, place }] as const).reverse());
  return open
    .flatMap((run) => {
      const found = places.get(run.rule);
      return found ? [{ run, ...found }] : [];
    })
    .sort((a, b) => a.run.instantMs - b.run.instantMs || a.place - b.place)
    .map(({ run, rule }) => ({ ...run, rule, isExpired: nowMs > run.untilMs }));
}

function faultyRule({ rule, key, state, timetable }: StartedRule): FaultyRule[] {
  if (timetable === undefined || timetable.ok || state.isFaultTold) return [];
  return [{ rule, key, detail: timetable.fault.detail }];
}

function nextInstants(started: readonly StartedRule[], nowMs: number): ReadonlyMap<string, number> {
  return new Map(
    started.flatMap(({ rule, timetable }): [string, number][] => {
      const nextMs = timetable?.ok ? nextOccurrence(timetable.value, nowMs) : undefined;
      return nextMs === undefined ? [] : [[rule.name, nextMs]];
    }),
  );
}
