import { durationText } from "#domain/units/duration-text";
import { formatInstant } from "#domain/units/instant";
import { FIGURES, figuresOf } from "#infra/simulate/compare";
import type {
  SimulatedCronRun,
  SimulatedObject,
  SimulatedScale,
  SimulationReport,
  SimulationResult,
} from "#infra/simulate/result";
import type { Summary } from "#infra/simulate/summary";
import { paint, tableText } from "./terminal.ts";

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
/** More scales than that are in --json and in the report. */
const SHOWN_SCALES = 20;

/** What a terminal shows of a simulation. */
export function simulationLines(report: SimulationReport): readonly string[] {
  const [first, second] = report.runs;
  return [
    ...heading(first),
    ...(second === undefined ? [] : [`compared with ${second.title}`]),
    ...notes(report),
    "",
    ...figures(report),
    ...first.objects.flatMap((object) => scales(object, first, second?.objects.find(isSame(object)))),
    ...report.runs.flatMap(cronRuns),
  ];
}

function heading({ title, load, seed, fromMs, toMs }: SimulationResult): readonly string[] {
  const span = durationText(toMs - fromMs);
  return [
    paint("bold", `${title} under the load ${load}, ${span} from ${formatInstant(fromMs)}, seed ${seed}`),
  ];
}

function notes({ runs }: SimulationReport): readonly string[] {
  const all = new Set(runs.flatMap((run) => run.notes));
  return [...all].map((note) => paint("dim", `note: ${note}`));
}

function figures({ runs, compared }: SimulationReport): readonly string[] {
  const [, second] = runs;
  const titles = second === undefined ? ["FIGURE", "VALUE"] : ["FIGURE", "FIRST", "SECOND", "DIFFERENCE"];
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
  const [head = "", ...lines] = tableText(titles, [...rows, ...clusters]);
  return [paint("bold", head), ...lines];
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

function isSame({ namespace, name }: SimulatedObject): (other: SimulatedObject) => boolean {
  return (other) => other.namespace === namespace && other.name === name;
}

/** The first scales of an object; beside those of the compared run there is no room for causes. */
function scales(
  object: SimulatedObject,
  { clusters }: SimulationResult,
  second: SimulatedObject | undefined,
): readonly string[] {
  const all = object.scales;
  if (second !== undefined || all.length === 0) return [];
  const [head = "", ...rows] = tableText(
    ["AT", "FROM", "TO", "CLUSTERS", "CAUSE"],
    all.slice(0, SHOWN_SCALES).map((scale) => scaleCells(scale, clusters)),
  );
  const rest = all.length - SHOWN_SCALES;
  return [
    "",
    `scales of ${object.namespace}/${object.name}`,
    paint("bold", head),
    ...rows,
    ...(rest > 0 ? [paint("dim", `and ${rest} more; --json has all`)] : []),
  ];
}

function scaleCells({ atMs, from, to, clustersAfter, cause }: SimulatedScale, clusters: readonly string[]) {
  const after = clusters.flatMap((cluster, i) =>
    (clustersAfter[i] ?? 0) > 0 ? [`${cluster} ${clustersAfter[i]}`] : [],
  );
  return [formatInstant(atMs), String(from), String(to), after.join(", ") || "-", cause];
}

function cronRuns({ title, cronRuns: runs }: SimulationResult): readonly string[] {
  if (runs.length === 0) return [];
  const shown = runs.slice(0, SHOWN_SCALES);
  const [head = "", ...rows] = tableText(["AT", "OBJECT", "RULE", "OUTCOME", "EFFECT"], shown.map(cronCells));
  const rest = runs.length - shown.length;
  return [
    "",
    `cron runs of ${title}`,
    paint("bold", head),
    ...rows,
    ...(rest > 0 ? [paint("dim", `and ${rest} more; --json has all`)] : []),
  ];
}

function cronCells({ atMs, namespace, name, rule, outcome, effect }: SimulatedCronRun): readonly string[] {
  return [formatInstant(atMs), `${namespace}/${name}`, rule, outcome, effect];
}
