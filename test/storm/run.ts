import { parseArguments, type StormArguments, USAGE } from "./arguments.ts";
import { drawPlan } from "./draw-plan.ts";
import type { Violation } from "./facts.ts";
import { judge } from "./judge.ts";
import { type Plan, START_MS } from "./plan.ts";
import { readReplay, writeReplay } from "./replay-file.ts";
import { shrink } from "./shrink.ts";
import { runStorm } from "./storm.ts";
import { count, newTally } from "./tally.ts";
import { tellStory } from "./tell-story.ts";

/** Storms that a shrinking may cost. */
const SHRINK_TRIES = 150;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed.ok) {
    console.error(`${parsed.fault}\n${USAGE}`);
    return 2;
  }
  const { replay } = parsed.value;
  return replay === undefined ? runSeeds(parsed.value) : runReplay(replay, parsed.value);
}

async function runSeeds({
  seeds,
  seed,
  minutes,
  objects,
  json,
  shrink: shrinks,
}: StormArguments): Promise<number> {
  const startedMs = performance.now();
  const tally = newTally();
  const failed: string[] = [];
  for (let i = 0; i < seeds; i++) {
    const plan = drawPlan(String(seed + i), minutes, objects);
    const story = await runStorm(plan);
    count(tally, plan, story);
    const violations = judge(story);
    if (violations.length === 0) continue;
    failed.push(plan.seed);
    await report(plan, violations, json, shrinks);
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const summary = { minutes, objects, firstSeed: seed, seconds, failed, ...tally };
  console.log(json ? JSON.stringify(summary) : textOf(summary));
  return failed.length === 0 ? 0 : 1;
}

/** Says what does not hold, and keeps the smallest plan that shows it. */
async function report(
  plan: Plan,
  violations: readonly Violation[],
  json: boolean,
  shrinks: boolean,
): Promise<void> {
  const [first] = violations as [Violation, ...Violation[]];
  const isIt = ({ invariant, clause }: Violation) => invariant === first.invariant && clause === first.clause;
  const fails = async (smaller: Plan) => judge(await runStorm(smaller)).some(isIt);
  const small = shrinks ? await shrink(plan, fails, SHRINK_TRIES) : plan;
  const file = `dist/storm/seed-${plan.seed}.json`;
  writeReplay(file, { found: `${first.invariant} ${first.clause}: ${first.text}`, plan: small });
  if (json) {
    console.log(JSON.stringify({ seed: plan.seed, violations, replay: file }));
    return;
  }
  console.log(`seed ${plan.seed}: ${violations.length} violations`);
  print(violations.slice(0, 3));
  console.log(
    `  ${small.faults.length} of ${plan.faults.length} faults are enough: npm run storm -- --replay ${file}`,
  );
  for (const fault of small.faults) console.log(`    ${JSON.stringify(fault)}`);
}

async function runReplay(path: string, { json, tell }: StormArguments): Promise<number> {
  let plan: Plan;
  try {
    ({ plan } = readReplay(path));
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  const story = await runStorm(plan);
  if (tell !== undefined)
    for (const line of tellStory(story, tell === "all" ? undefined : tell)) console.log(line);
  const violations = judge(story);
  if (json) console.log(JSON.stringify({ seed: plan.seed, violations }));
  else if (violations.length === 0) console.log("no invariant broken");
  else print(violations);
  return violations.length === 0 ? 0 : 1;
}

function print(violations: readonly Violation[]): void {
  for (const { invariant, clause, atMs, text } of violations)
    console.log(
      `  ${((atMs - START_MS) / 1000).toFixed(3)} s  ${invariant} ${clause}: ${text.slice(0, 600)}`,
    );
}

function textOf({
  failed,
  faults,
  ...counts
}: {
  readonly failed: readonly string[];
  readonly faults: object;
}): string {
  const fields = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
  const verdict = failed.length === 0 ? "no invariant broken" : `failed seeds: ${failed.join(", ")}`;
  const kinds = Object.entries(faults).map(([kind, times]) => `${kind} ${times}`);
  return `${verdict}\n  ${fields.join(", ")}\n  faults: ${kinds.join(", ")}`;
}
