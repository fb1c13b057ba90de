import { Command } from "commander";
import {
  forecastManifests,
  type ManifestForecast,
  type ManifestRule,
} from "#app/forecast/forecast-manifests";
import type { ForecastEntry, ForecastRun, SkippedForecastRuns } from "#domain/cron/forecast";
import type { TargetWrite } from "#domain/cron/target";
import { formatInZone, formatWall } from "#domain/cron/wall-clock";
import { formatInstant } from "#domain/units/instant";
import { instant, lineCount } from "./arguments.ts";
import { CliError } from "./exit.ts";
import { readManifests } from "./manifest-files.ts";
import { paint, print, tableText } from "./terminal.ts";

interface NextOptions {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly from?: number;
  readonly count: number;
  readonly json: boolean;
}

type Forecast = ManifestForecast & { readonly ok: true };

/** `mainsheet next`: when the rules of CronFederatedHPAs run next, with what clocks and other rules do to them. */
export function nextCommand(): Command {
  return new Command("next")
    .description("The coming runs of the rules of CronFederatedHPAs, on their own clocks and in UTC.")
    .requiredOption("-f, --filename <file...>", "YAML or JSON files; - is standard input")
    .option("-n, --namespace <name>", "the namespace of objects that name none", "default")
    .option("--from <instant>", "runs after this instant (default: now)", instant)
    .option("--count <n>", "how many runs, over all rules", lineCount, 10)
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nWhat a schedule may be, and what clocks do to it, is in docs/cron.md.")
    .action(runNext);
}

function runNext({ filename, namespace, from = Date.now(), count, json }: NextOptions): void {
  const found = forecastManifests(readManifests(filename), { namespace, fromMs: from, count });
  if (!found.ok) throw refusal(found.faults);
  if (json) print(JSON.stringify(report(found, from)));
  else for (const line of forecastLines(found)) print(line);
}

function refusal([first, ...others]: readonly string[]): CliError {
  if (first === undefined)
    return new CliError("usage", "there is no CronFederatedHPA; name a file that holds one");
  const more = others.length === 0 ? "" : ` (and ${others.length} more; see mainsheet validate)`;
  return new CliError("refused", `${first}${more}`);
}

/** The lines that people read. */
export function forecastLines(found: Forecast): readonly string[] {
  const { entries, rules, suspended } = found;
  const [heading = "", ...rows] = tableText(
    ["UTC", "LOCAL", "ZONE", "OBJECT", "RULE", "SETS", "NOTE"],
    entries.map((entry) => {
      const { object, name, timetable, write } = rules[entry.rule] as ManifestRule;
      const sets = entry.kind === "run" ? writeText(write) : "-";
      const local = localText(entry, timetable.zone);
      return [formatInstant(entry.atMs), local, timetable.zone, object, name, sets, noteOn(entry, rules)];
    }),
  );
  const painted = rows.map((row, index) => (entries[index]?.kind === "skipped" ? paint("yellow", row) : row));
  const table =
    entries.length === 0 ? ["no rule runs in the next five years"] : [paint("bold", heading), ...painted];
  const counted = rules.filter(({ timetable }) => timetable.schedule.kind === "interval");
  return [
    ...table,
    ...suspended.map(({ object, name }) => paint("dim", `${object} ${name}: suspended, so it does not run`)),
    ...counted.map(({ object, name }) =>
      paint("dim", `${object} ${name}: @every is counted from --from here, on a hub from its first sight`),
    ),
  ];
}

function localText(entry: ForecastEntry, zone: string): string {
  if (entry.kind === "run") return formatInZone(zone, entry.atMs);
  const [first = 0] = entry.runWallMs;
  return formatWall(first);
}

function writeText({ replicas, minReplicas, maxReplicas }: TargetWrite): string {
  const values = [
    ["replicas", replicas],
    ["min", minReplicas],
    ["max", maxReplicas],
  ] as const;
  return values.flatMap(([field, value]) => (value === undefined ? [] : [`${field} ${value}`])).join(", ");
}

function noteOn(entry: ForecastEntry, rules: readonly ManifestRule[]): string {
  return entry.kind === "skipped" ? gapNote(entry) : runNote(entry, rules);
}

function gapNote({ runWallMs, fromWallMs, toWallMs }: SkippedForecastRuns): string {
  const last = runWallMs.at(-1) ?? 0;
  const runs = runWallMs.length === 1 ? "skipped" : `${runWallMs.length} runs up to ${timeOf(last)} skipped`;
  return `${runs}: the clock goes from ${timeOf(fromWallMs)} to ${timeOf(toWallMs)}`;
}

function runNote({ repeated, overridden }: ForecastRun, rules: readonly ManifestRule[]): string {
  const notes: string[] = [];
  if (repeated !== undefined) notes.push(`comes twice on this clock: ${repeated} time`);
  if (overridden !== undefined) {
    const { by, fields } = overridden;
    const winner = rules[by] as ManifestRule;
    notes.push(`${fields.join(" and ")} overridden by ${winner.name}, which is later in the list`);
  }
  return notes.join("; ");
}

function timeOf(wallMs: number): string {
  return formatWall(wallMs).slice(11, 16);
}

/** The same for programs. */
function report({ entries, rules, suspended }: Forecast, fromMs: number): object {
  return {
    from: formatInstant(fromMs),
    entries: entries.map((entry) => reportEntry(entry, rules)),
    suspended: suspended.map(({ object, name }) => ({ object, rule: name })),
  };
}

function reportEntry(entry: ForecastEntry, rules: readonly ManifestRule[]): object {
  const { object, name, timetable, write } = rules[entry.rule] as ManifestRule;
  const of = { kind: entry.kind, at: formatInstant(entry.atMs), zone: timetable.zone, object, rule: name };
  if (entry.kind === "skipped") {
    const { runWallMs, fromWallMs, toWallMs } = entry;
    const gap = { from: formatWall(fromWallMs), to: formatWall(toWallMs) };
    return { ...of, local: runWallMs.map(formatWall), gap };
  }
  const { repeated, overridden } = entry;
  return {
    ...of,
    local: formatInZone(timetable.zone, entry.atMs),
    sets: write,
    ...(repeated === undefined ? {} : { repeated }),
    ...(overridden === undefined
      ? {}
      : { overridden: { by: rules[overridden.by]?.name, fields: overridden.fields } }),
  };
}
