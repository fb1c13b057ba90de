import { durationText } from "#domain/units/duration-text";
import { formatInstant } from "#domain/units/instant";
import { figureRows } from "#infra/simulate/figure-rows";
import type {
  SimulatedCronRun,
  SimulatedObject,
  SimulatedScale,
  SimulationReport,
  SimulationResult,
} from "#infra/simulate/result";
import { paint, tableText } from "./terminal.ts";

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

function figures(report: SimulationReport): readonly string[] {
  const { heading, rows } = figureRows(report);
  const [head = "", ...lines] = tableText(heading, rows);
  return [paint("bold", head), ...lines];
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
