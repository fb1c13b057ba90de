import { comparedConditions, comparedEvents, type StepAnswer } from "#test/golden/reconcile/step-answer";

/** What Karmada showed; each step only what changed since the one before. */
export interface ReconcileOutput {
  readonly steps: readonly {
    readonly error?: string;
    readonly panic?: string;
    readonly templateReplicas?: number;
    readonly status?: {
      readonly currentReplicas?: number;
      readonly desiredReplicas?: number;
      readonly lastScaleTime?: string;
      readonly currentMetrics?: readonly unknown[];
      readonly conditions?: Readonly<Record<string, readonly [string, string, string]>>;
    };
    readonly events?: readonly (readonly [string, string, string])[];
  }[];
}

/** The whole answer of every step, the changes added up. */
export function karmadasAnswers({ steps }: ReconcileOutput): readonly StepAnswer[] {
  let status: Pick<
    StepAnswer,
    "currentReplicas" | "desiredReplicas" | "lastScaleTime" | "currentMetrics" | "conditions"
  > = {
    currentReplicas: 0,
    desiredReplicas: 0,
    lastScaleTime: undefined,
    currentMetrics: [],
    conditions: {},
  };
  return steps.map(({ error, panic, templateReplicas, status: changed = {}, events = [] }) => {
    const { conditions = {}, ...rest } = changed;
    const list = Object.entries(conditions).map(([type, [state, reason]]) => ({
      type,
      status: state,
      reason,
    }));
    status = { ...status, ...rest, conditions: { ...status.conditions, ...comparedConditions(list) } };
    return {
      ...status,
      error: error !== undefined || panic !== undefined,
      templateReplicas,
      events: comparedEvents(events),
    };
  });
}
