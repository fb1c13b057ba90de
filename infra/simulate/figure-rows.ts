import { durationText } from "#domain/units/duration-text";
import { FIGURES, figuresOf } from "./compare.ts";
import type { SimulationReport } from "./result.ts";
import type { Summary } from "./summary.ts";

export interface FigureRows {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How people read a figure. */
const LABELS: Readonly<Record<(typeof FIGURES)[number], string>> = {
  timeAboveTargetSeconds: "time above target",
  timeAtMaxSeconds: "time at maxReplicas",
  replicaHours: "replica-hours",
  scaleEvents: "scales",
  scaleUps: "  up",
  scaleDowns: "  down",
  flaps: "flaps",
  settleSeconds: "longest time to settle",
  unsettled: "unsettled at the end",
  minReplicas: "fewest replicas",
  maxReplicas: "most replicas",
  failedEvaluations: "evaluations without a decision",
  cronRuns: "cron runs",
  cronRunsFailed: "  failed",
};
/** A report's figures as a table: one run, or two with their difference; then each cluster's. */
export function figureRows({ runs, compared }: SimulationReport): FigureRows {
  const [, second] = runs;
  const heading = second === undefined ? ["FIGURE", "VALUE"] : ["FIGURE", "FIRST", "SECOND", "DIFFERENCE"];
  const cells = (figure: (typeof FIGURES)[number]) => {
    const values = runs.map(({ summary }) => figureText(figure, figuresOf(summary)[figure] ?? 0));
    const change = compared?.find((one) => one.figure === figure);
    return change === undefined ? values : [...values, signed(figure, change.difference)];
  };
  const shown = FIGURES.filter((figure) =>
    isShown(
      figure,
      runs.map(({ summary }) => summary),
    ),
  );
  const rows = shown.map((figure) => [LABELS[figure], ...cells(figure)]);
  const clusters = [...new Set(runs.flatMap((run) => run.clusters))].flatMap((cluster) => {
    const of = runs.map(({ summary }) => summary.byCluster.find((one) => one.cluster === cluster));
    const row = (label: string, values: readonly number[]) => {
      const difference = values.length > 1 ? [plus((values[1] ?? 0) - (values[0] ?? 0))] : [];
      return [label, ...values.map(String), ...difference];
    };
    return [
      row(
        `${cluster}: replica-hours`,
        of.map((one) => one?.replicaHours ?? 0),
      ),
      row(
        "  most replicas",
        of.map((one) => one?.maxReplicas ?? 0),
      ),
    ];
  });
  return { heading, rows: [...rows, ...clusters] };
}

/** Cron figures only where there are rules, and what is wrong only where something is. */
function isShown(figure: (typeof FIGURES)[number], summaries: readonly Summary[]): boolean {
  const isAny = summaries.some((summary) => Number(summary[figure]) > 0);
  return isAny || !["unsettled", "failedEvaluations", "cronRuns", "cronRunsFailed"].includes(figure);
}

function figureText(figure: string, value: number): string {
  if (figure.endsWith("Seconds")) return value === 0 ? "0s" : durationText(value * 1000);
  if (figure === "unsettled") return value === 0 ? "no" : "yes";
  return String(value);
}

function signed(figure: string, difference: number): string {
  if (difference === 0 || !figure.endsWith("Seconds")) return plus(difference);
  return `${difference < 0 ? "-" : "+"}${figureText(figure, Math.abs(difference))}`;
}

function plus(difference: number): string {
  const rounded = Math.round(difference * 1000) / 1000;
  return rounded > 0 ? `+${rounded}` : String(rounded);
}
