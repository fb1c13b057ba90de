import { judgeDirectory, VECTORS } from "./vector-files.ts";

const USAGE =
  "usage: npm run golden -- [--dir DIRECTORY]; DIRECTORY holds <kind>.jsonl or <kind>.jsonl.gz files";

const LONGEST_LINE = 600;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const directory = directoryOf(args);
  if (directory === undefined) {
    console.error(USAGE);
    return 2;
  }
  let failed = false;
  try {
    for await (const report of judgeDirectory(directory, explain)) {
      console.log(JSON.stringify(report));
      failed ||= report.failed.length > 0;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  return failed ? 1 : 0;
}

function explain(id: string, text: string): void {
  console.error(`${id}: ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text}`);
}

function directoryOf(args: readonly string[]): string | undefined {
  if (args.length === 0) return VECTORS;
  const [flag, value, ...rest] = args;
  const [, inline] = /^--dir=(.+)$/.exec(flag ?? "") ?? [];
  if (inline !== undefined && args.length === 1) return inline;
  return flag === "--dir" && value !== undefined && rest.length === 0 ? value : undefined;
}
