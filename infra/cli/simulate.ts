import { accessSync, closeSync, constants, existsSync, openSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Command } from "commander";
import { decisionItems } from "#app/ledger/read-ledger";
import { compareSummaries, FIGURES, figuresOf } from "#infra/simulate/compare";
import { type Condition, parseCondition } from "#infra/simulate/condition";
import type { LoadChoice } from "#infra/simulate/load-choice";
import { readLoadHistory } from "#infra/simulate/load-history";
import { type PlanInput, planSimulation } from "#infra/simulate/plan";
import type { SimulationReport, SimulationResult } from "#infra/simulate/result";
import { runSimulation } from "#infra/simulate/run";
import type { WorkloadLoad } from "#infra/simulate/workload-load";
import type { DecisionRecord } from "#wire/decision-record";
import { duration, instant } from "./arguments.ts";
import { controllerPolicy } from "./controller-argument.ts";
import { CliError, EXIT } from "./exit.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { nameOf } from "./input-file.ts";
import { knownObject, ledgerOf, wholeRecord } from "./ledger-state.ts";
import { load } from "./load-argument.ts";
import { readManifests } from "./manifest-files.ts";
import { objectName } from "./object-argument.ts";
import { openProgress } from "./progress.ts";
import { recordsIn } from "./record-file.ts";
import { simulationLines } from "./simulate-text.ts";
import { print } from "./terminal.ts";

interface SimulateOptions extends StateOptions {
  readonly filename: readonly string[];
  readonly load?: LoadChoice;
  readonly fromHistory?: string;
  readonly for?: number;
  readonly seed?: string;
  readonly start?: number;
  readonly webhooks: boolean;
  readonly compare?: readonly string[];
  readonly failIf?: string;
  readonly controller: readonly string[];
  readonly out?: string;
}

/** `mainsheet simulate`: what the real decisions would do to a workload under a load, on a simulated fleet. */
export function simulateCommand(): Command {
  const command = new Command("simulate")
    .description(
      "What a FederatedHPA would do to its workload under a load: a day in seconds, nothing touched.",
    )
    .requiredOption("-f, --filename <file...>", "YAML or JSON files with a FederatedHPA; - is standard input")
    .option("--load <shape|file.csv>", "day (default), spiky, ramp, … or a CSV of time and demand", load)
    .option(
      "--from-history <file|object>",
      "the demand that decisions on record saw: a file of export, or NAMESPACE/NAME with --stack or --endpoint",
    )
    .option("--for <duration>", "how long, like 6h (default: 24h, or as long as the record)", duration)
    .option("--seed <text>", "whatever stands for chance is made from it (default: the Scenario's, or 1)")
    .option(
      "--start <instant>",
      "the first instant, for cron rules and days (default: 2026-03-02T00:00:00Z)",
      instant,
    )
    .option("--controller <setting=value...>", "the controller's settings, such as tolerance=0.05", [])
    .option("--no-webhooks", "a hub without Karmada's admission and defaulting")
    .option("--compare <file...>", "run again with these manifests instead of those of the same names")
    .option("--out <file.html>", "write a report with charts, one file that needs nothing else")
    .option(
      "--fail-if <condition>",
      'exit 1 when it holds, such as "flaps > 3 or timeAboveTargetSeconds > 600"',
    );
  return withPlace(command, "the hub, where several know the object")
    .addHelpText("after", "\nThe shapes, the files and every figure are in docs/simulate.md.")
    .action(runSimulate);
}

async function runSimulate(options: SimulateOptions): Promise<void> {
  const condition = conditionOf(options);
  if (options.out !== undefined) mustBeWritable(options.out);
  const choice = await choiceOf(options);
  const given: PlanInput = {
    title: options.filename.map(nameOf).join(", "),
    manifests: readManifests(options.filename),
    webhooks: options.webhooks,
    policy: controllerPolicy(options.controller),
    ...(choice === undefined ? {} : { choice }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.start === undefined ? {} : { startMs: options.start }),
    ...(options.for === undefined ? {} : { forMs: options.for }),
  };
  const { compare } = options;
  const inputs = [given];
  if (compare !== undefined)
    inputs.push({ ...given, title: compare.map(nameOf).join(", "), instead: readManifests(compare) });
  const report = reportOf(await runAll(inputs));
  // First, since whoever reads the lines may stop in the middle, as `head` does.
  if (options.out !== undefined) await writeReport(options.out, report);
  if (options.json) print(JSON.stringify(report));
  else for (const line of simulationLines(report)) print(line);
  if (condition?.(figuresIn(report)) !== true) return;
  process.stderr.write(`mainsheet: the condition holds: ${options.failIf}\n`);
  process.exitCode = EXIT.refused;
}

/** Said before the simulation, which may take a while. */
function mustBeWritable(path: string): void {
  try {
    if (existsSync(path)) closeSync(openSync(path, "r+"));
    else accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError("usage", `--out ${path} cannot be written (${code}); choose another`, { cause });
  }
}

async function writeReport(path: string, report: SimulationReport): Promise<void> {
  const { renderReport } = await import("./render-report.ts");
  const html = await renderReport(report);
  try {
    writeFileSync(path, html);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError("environment", `--out ${path} cannot be written (${code}); choose another`, { cause });
  }
}

/** One after the other, the second under the loads of the first. All are planned before the first runs. */
async function runAll(inputs: readonly PlanInput[]): Promise<readonly SimulationResult[]> {
  let loads: readonly WorkloadLoad[] | undefined;
  const plans = inputs.map((input) => {
    const planned = planSimulation(loads === undefined ? input : { ...input, loads });
    if (!planned.ok) throw refusal(planned.faults);
    loads ??= planned.loads;
    return planned.plan;
  });
  const progress = openProgress(plans.reduce((sum, { slots }) => sum + slots, 0));
  const results: SimulationResult[] = [];
  for (const plan of plans) {
    const before = results.reduce((sum, { slots }) => sum + slots, 0);
    results.push(await runSimulation(plan, (slots) => progress.done(before + slots)));
  }
  progress.end();
  return results;
}

function reportOf([first, second]: readonly SimulationResult[]): SimulationReport {
  if (first === undefined) throw new Error("invariant: a simulation has a result");
  if (second === undefined) return { v: 1, runs: [first] };
  return { v: 1, runs: [first, second], compared: compareSummaries(first.summary, second.summary) };
}

function refusal([first = "", ...others]: readonly string[]): CliError {
  const more = others.length === 0 ? "" : ` (and ${others.length} more: ${others.join("; ")})`;
  return new CliError("refused", `${first}${more}`);
}

function conditionOf({ failIf, compare }: SimulateOptions): Condition | undefined {
  if (failIf === undefined) return undefined;
  const names = compare === undefined ? FIGURES : [...FIGURES, ...FIGURES.map(ofSecond)];
  const parsed = parseCondition(failIf, names);
  if (parsed.ok) return parsed.value;
  throw new CliError("usage", `--fail-if: ${parsed.fault}`);
}

function figuresIn({ runs: [first, second] }: SimulationReport) {
  const others = second === undefined ? [] : Object.entries(figuresOf(second.summary));
  return {
    ...figuresOf(first.summary),
    ...Object.fromEntries(others.map(([name, value]) => [ofSecond(name), value])),
  };
}

/** How a condition names a figure of the compared run. */
function ofSecond(figure: string): string {
  return `second.${figure}`;
}

async function choiceOf(options: SimulateOptions): Promise<LoadChoice | undefined> {
  const { load: choice, fromHistory, stack, endpoint } = options;
  if (fromHistory === undefined) {
    if (stack === undefined && endpoint === undefined) return choice;
    throw new CliError("usage", "--stack and --endpoint go with --from-history NAMESPACE/NAME; add it");
  }
  if (choice !== undefined)
    throw new CliError("usage", "--load and --from-history exclude each other; give the one that is meant");
  const isFile = stack === undefined && endpoint === undefined;
  const records = isFile ? recordsIn(fromHistory) : await recordsOf(fromHistory, options);
  const read = readLoadHistory(nameOf(fromHistory), records);
  if (read.ok) return read.value;
  throw new CliError("refused", read.fault);
}

async function recordsOf(text: string, options: SimulateOptions): Promise<readonly DecisionRecord[]> {
  const object = objectName(text);
  const records: DecisionRecord[] = [];
  await inState(options, async (state) => {
    const reader = ledgerOf(state);
    const id = await knownObject(state, reader, object);
    for await (const item of decisionItems(reader, id, {})) records.push(await wholeRecord(reader, id, item));
  });
  return records;
}
