import type { CronAnswer, ExecutionAnswer, HistoryAnswer } from "#test/golden/cronhandle/input";

/** What Karmada showed, the whole state of each step. */
export interface CronHandleOutput {
  readonly steps: readonly {
    readonly deployments?: CronAnswer["deployments"];
    readonly federatedHPAs?: CronAnswer["federatedHpas"];
    readonly executionHistories?: readonly HistoryObject[];
    readonly events?: readonly (readonly [type: string, reason: string, message: string])[];
  }[];
}

export interface HistoryObject {
  readonly ruleName: string;
  readonly nextExecutionTime?: string;
  readonly successfulExecutions?: readonly ExecutionAnswer[];
  readonly failedExecutions?: readonly (ExecutionAnswer & { readonly message?: string })[];
}

export function karmadasAnswers({ steps }: CronHandleOutput): readonly CronAnswer[] {
  return steps.map(({ deployments = {}, federatedHPAs = {}, executionHistories = [], events = [] }) => ({
    deployments,
    federatedHpas: federatedHPAs,
    histories: executionHistories.map(historyAnswer),
    events: events.map(([type, reason]) => `${type}/${reason}`),
  }));
}

export function historyAnswer(history: HistoryObject): HistoryAnswer {
  const { ruleName, nextExecutionTime, successfulExecutions = [], failedExecutions = [] } = history;
  return {
    ruleName,
    next: nextExecutionTime,
    succeeded: successfulExecutions,
    failed: failedExecutions.map(({ scheduleTime, executionTime }) => ({ scheduleTime, executionTime })),
  };
}
