import { toThousandth } from "./amounts.ts";
import type { Figures } from "./condition.ts";
import type { ComparedSummary, Summary } from "./summary.ts";

/** The figures that are one number, in the order in which people read them. `unsettled` counts as 0 or 1. */
export const FIGURES = [
  "timeAboveTargetSeconds",
  "timeAtMaxSeconds",
  "replicaHours",
  "scaleEvents",
  "scaleUps",
  "scaleDowns",
  "flaps",
  "settleSeconds",
  "unsettled",
  "minReplicas",
  "maxReplicas",
  "failedEvaluations",
  "cronRuns",
  "cronRunsFailed",
] as const satisfies readonly (keyof Summary)[];

export function figuresOf(summary: Summary): Figures {
  return Object.fromEntries(FIGURES.map((figure) => [figure, Number(summary[figure])]));
}

/** Figure by figure: the first run, the second, and how much more the second has. */
export function compareSummaries(first: Summary, second: Summary): readonly ComparedSummary[] {
  const [a, b] = [figuresOf(first), figuresOf(second)];
  return FIGURES.map((figure) => {
    const [one = 0, other = 0] = [a[figure], b[figure]];
    return { figure, first: one, second: other, difference: toThousandth(other - one) };
  });
}
