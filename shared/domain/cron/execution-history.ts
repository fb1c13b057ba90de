import type {
  CronFederatedHpa,
  CronRule,
  ExecutionHistory,
  FailedExecution,
  SuccessfulExecution,
} from "#domain/spec/cron-federated-hpa";
import { isSuccess, type RunResult } from "./run-result.ts";
import { runText } from "./run-text.ts";

/** A rule that cannot be started, as the status tells it once. */
export interface StartFailure {
  readonly rule: CronRule;
  readonly atMs: number;
  readonly message: string;
}

/**
 * The histories of the object's status after these results: of the rules that the spec has, in the order they had and
 * new ones behind, executions newest first by the second, then by what they were due for, and what runs next. A list that
 * gets something new is cut to the rule's limit (0 keeps none, C07); as upstream, a limit that was lowered waits for that.
 * Adding what is there already changes nothing.
 */
export function executionHistories(
  { rules, executionHistories: former }: Pick<CronFederatedHpa, "rules" | "executionHistories">,
  results: readonly RunResult[],
  failures: readonly StartFailure[],
  nextMs: ReadonlyMap<string, number>,
): ExecutionHistory[] {
  const byName = new Map(rules.map((rule) => [rule.name, rule] as const).reverse());
  const names = new Set([
    ...former.map(({ ruleName }) => ruleName).filter((name) => byName.has(name)),
    ...rules.map(({ name }) => name),
  ]);
  return [...names].map((ruleName): ExecutionHistory => {
    const rule = byName.get(ruleName) as CronRule;
    const history = former.find((entry) => entry.ruleName === ruleName);
    const own = results.filter(({ run }) => run.rule.name === ruleName);
    const failed = [
      ...own.filter((result) => !isSuccess(result)).map(failedExecution),
      ...failures.filter((failure) => failure.rule.name === ruleName).map(startFailure),
    ];
    const succeeded = own.filter(isSuccess).map(successfulExecution);
    const next = nextMs.get(ruleName);
    return {
      ruleName,
      ...(next === undefined ? {} : { nextExecutionMs: next }),
      successfulExecutions: newest(
        succeeded,
        history?.successfulExecutions ?? [],
        rule.successfulHistoryLimit,
      ),
      failedExecutions: newest(failed, history?.failedExecutions ?? [], rule.failedHistoryLimit),
    };
  });
}

function newest<T extends { readonly scheduleMs: number; readonly executionMs: number }>(
  added: readonly T[],
  former: readonly T[],
  limit: number,
): readonly T[] {
  if (added.length === 0) return former;
  const kept = former.filter(({ scheduleMs }) => !added.some((entry) => entry.scheduleMs === scheduleMs));
  return [...added, ...kept]
    .sort((a, b) => secondOf(b) - secondOf(a) || b.scheduleMs - a.scheduleMs)
    .slice(0, Math.max(0, limit));
}

/** What was told before comes back from the status in whole seconds. */
function secondOf({ executionMs }: { readonly executionMs: number }): number {
  return Math.floor(executionMs / 1000);
}

/** As upstream, what was applied is what the rule says, whether or not it had to be written (semantics 4.2). */
function successfulExecution({ run, executionMs }: RunResult): SuccessfulExecution {
  const { targetReplicas, targetMinReplicas, targetMaxReplicas } = run.rule;
  return {
    scheduleMs: run.instantMs,
    executionMs,
    ...(targetReplicas === undefined ? {} : { appliedReplicas: targetReplicas }),
    ...(targetMinReplicas === undefined ? {} : { appliedMinReplicas: targetMinReplicas }),
    ...(targetMaxReplicas === undefined ? {} : { appliedMaxReplicas: targetMaxReplicas }),
  };
}

function failedExecution(result: RunResult): FailedExecution {
  const { run, executionMs } = result;
  return { scheduleMs: run.instantMs, executionMs, message: runText(result) };
}

/** There is no instant of a rule that never started; the schema wants one. */
function startFailure({ atMs, message }: StartFailure): FailedExecution {
  return { scheduleMs: atMs, executionMs: atMs, message };
}
