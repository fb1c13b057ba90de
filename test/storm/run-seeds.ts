import type { StormArguments } from "./arguments.ts";
import type { Violation } from "./facts.ts";
import type { Plan } from "./plan.ts";
import { printViolations } from "./print-violations.ts";
import { bundleWorker } from "./processes/bundle.ts";
import type { Job, Result } from "./processes/job.ts";
import { runJobs } from "./processes/pool.ts";
import { openProgress } from "./processes/progress.ts";
import { writeReplay } from "./replay-file.ts";
import { addTallies, NO_TALLY } from "./tally.ts";

/** Runs seeds in as many processes as asked for; one summary at the end. 0 when nothing is violated, else 1. */
export async function runSeeds(args: StormArguments, signal: AbortSignal): Promise<number> {
  const { seeds, seed: firstSeed, minutes, objects, processes, json } = args;
  const startedMs = performance.now();
  const worker = await bundleWorker("worker");
  const progress = openProgress(seeds, process.stderr, () => performance.now());
  let tally = NO_TALLY;
  const failed: number[] = [];

  function done(result: Result): boolean {
    tally = addTallies(tally, result.tally);
    if (result.violations.length > 0) {
      failed.push(result.seed);
      progress.clear();
      report(result, json);
    }
    progress.show(tally.storms, failed.length);
    return true;
  }

  await runJobs(jobsOf(args), { worker, processes: Math.min(processes, seeds), done, signal });
  progress.clear();
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  failed.sort((a, b) => a - b);
  const summary = { minutes, objects, firstSeed, processes, seconds, failed, ...tally };
  console.log(json ? JSON.stringify(summary) : textOf(summary));
  return failed.length === 0 ? 0 : 1;
}

/** The jobs of all seeds that the arguments ask for, in order. */
export function* jobsOf({ seeds, seed, minutes, objects, shrink }: StormArguments): Iterable<Job> {
  for (let i = 0; i < seeds; i++) yield { seed: seed + i, minutes, objects, shrinks: shrink };
}

/** Says what does not hold, and keeps the smallest plan that shows it. */
function report({ seed, violations, faults, small }: Result, json: boolean): void {
  const [first] = violations as [Violation, ...Violation[]];
  const plan = small as Plan;
  const file = `dist/storm/seed-${seed}.json`;
  writeReplay(file, { found: `${first.invariant} ${first.clause}: ${first.text}`, plan });
  if (json) {
    console.log(JSON.stringify({ seed, violations, replay: file }));
    return;
  }
  console.log(`seed ${seed}: ${violations.length} violations`);
  printViolations(violations.slice(0, 3));
  console.log(`  ${plan.faults.length} of ${faults} faults are enough: npm run storm -- --replay ${file}`);
  for (const fault of plan.faults) console.log(`    ${JSON.stringify(fault)}`);
}

function textOf({
  failed,
  faults,
  ...counts
}: {
  readonly failed: readonly number[];
  readonly faults: object;
}): string {
  const fields = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
  const verdict = failed.length === 0 ? "no invariant broken" : `failed seeds: ${failed.join(", ")}`;
  const kinds = Object.entries(faults).map(([kind, times]) => `${kind} ${times}`);
  return `${verdict}\n  ${fields.join(", ")}\n  faults: ${kinds.join(", ")}`;
}
