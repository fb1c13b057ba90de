import { parseArguments, type StormArguments, USAGE } from "./arguments.ts";
import { runPlanted } from "./planted/run-planted.ts";
import { runReal } from "./real/run-real.ts";
import { runReplay } from "./run-replay.ts";
import { runSeeds } from "./run-seeds.ts";

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());
process.once("SIGTERM", () => interrupt.abort());
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed.ok) {
    console.error(`${parsed.fault}\n${USAGE}`);
    return 2;
  }
  const code = await run(parsed.value);
  return interrupt.signal.aborted ? 130 : code;
}

function run(args: StormArguments): Promise<number> {
  const { replay, planted, real } = args;
  if (real) return runReal(args, interrupt.signal);
  if (replay !== undefined) return runReplay(replay, args);
  return planted ? runPlanted(args, interrupt.signal) : runSeeds(args, interrupt.signal);
}
