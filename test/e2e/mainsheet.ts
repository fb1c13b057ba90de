import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAINSHEET = fileURLToPath(new URL("../../infra/cli/mainsheet.mjs", import.meta.url));

export interface Run {
  readonly process: ChildProcess;
  /** Standard output, line by line. */
  readonly lines: AsyncIterable<string>;
  /** Exit code and standard error, once it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Runs the real `mainsheet` in a process of its own. */
export function mainsheet(...args: string[]): Run {
  const child = spawn(process.execPath, [MAINSHEET, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  return { process: child, lines: createInterface({ input: child.stdout }), ended };
}

/** All of its lines, and how it ended. */
export async function finished(run: Run) {
  const lines: string[] = [];
  for await (const line of run.lines) lines.push(line);
  return { lines, ...(await run.ended) };
}
