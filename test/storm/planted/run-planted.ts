import type { StormArguments } from "#test/storm/arguments";
import type { Violation } from "#test/storm/facts";
import { bundleWorker } from "#test/storm/processes/bundle";
import { runJobs } from "#test/storm/processes/pool";
import { jobsOf } from "#test/storm/run-seeds";
import type { Mutation } from "./mutation.ts";
import { MUTATIONS } from "./mutations.ts";

/** What became of one planted fault. */
interface Finding {
  readonly name: string;
  /** Every `invariant clause` that this seed broke, the first in time first; empty: it survived. */
  readonly found: readonly string[];
  /** The first seed that broke the invariant which the fault was planted for. */
  readonly seed?: number;
  /** Storms until then. */
  readonly seeds: number;
}

/**
 * Plants each fault of the table in the code, one at a time, and runs storms until one breaks the invariant that it was
 * planted for. 0 when all are found, 1 when one survives its seeds, 2 for an unknown name.
 */
export async function runPlanted(args: StormArguments, signal: AbortSignal): Promise<number> {
  const { only, json } = args;
  const chosen = MUTATIONS.filter(({ name }) => only === undefined || only === name);
  if (chosen.length === 0) {
    const names = MUTATIONS.map(({ name }) => name).join(", ");
    console.error(`--only ${only} is no planted fault; there are ${names}`);
    return 2;
  }
  const findings: Finding[] = [];
  for (const mutation of chosen) {
    const finding = await find(mutation, args, signal);
    if (signal.aborted) break;
    findings.push(finding);
    console.log(json ? JSON.stringify(finding) : textOf(mutation, finding));
  }
  const missed = findings.filter(({ seed }) => seed === undefined);
  if (!json) console.log(`${findings.length - missed.length} of ${findings.length} planted faults found`);
  return missed.length === 0 ? 0 : 1;
}

async function find(mutation: Mutation, args: StormArguments, signal: AbortSignal): Promise<Finding> {
  const { name, invariant, patches } = mutation;
  const { seed: firstSeed, seeds, processes } = args;
  const worker = await bundleWorker(`planted-${name}`, patches);
  let ran = 0;
  let seed: number | undefined;
  let violations: readonly Violation[] = [];
  await runJobs(jobsOf({ ...args, shrink: false }), {
    worker,
    processes: Math.min(processes, seeds),
    signal,
    done(result) {
      ran += 1;
      const isFound = result.violations.some((one) => one.invariant === invariant);
      if (isFound && (seed === undefined || result.seed < seed)) {
        seed = result.seed;
        violations = result.violations;
      }
      return seed === undefined;
    },
  });
  const found = [...new Set(violations.map((one) => `${one.invariant} ${one.clause}`))];
  if (seed === undefined) return { name, found, seeds: ran };
  return { name, found, seed, seeds: seed - firstSeed + 1 };
}

function textOf({ name, invariant, says }: Mutation, { found, seed, seeds }: Finding): string {
  const fate =
    seed === undefined ? `SURVIVED ${seeds} seeds` : `found by ${found.join(", ")} at seed ${seed}`;
  return `${invariant} ${name}: ${fate}\n     ${says}`;
}
