/** One host per data folder: two would write into each other's journals. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const claimed = new Set<string>();

/**
 * Makes the folder and marks it as this process's until `release`; a mark whose process is gone does not count.
 * Throws one sentence when another process uses the folder, or it cannot be written.
 */
export function claimDataFolder(folder: string): { release(): void } {
  const mark = join(folder, "pid");
  mkdirSync(folder, { recursive: true });
  const owner = readOwner(mark);
  if (owner !== undefined && (owner === process.pid ? claimed.has(folder) : isAlive(owner))) {
    throw new Error(
      `the data folder ${folder} is in use by process ${owner}; stop that process or choose another folder`,
    );
  }
  writeFileSync(mark, `${process.pid}\n`);
  claimed.add(folder);
  return {
    release() {
      if (claimed.delete(folder)) rmSync(mark, { force: true });
    },
  };
}

function readOwner(mark: string): number | undefined {
  try {
    const pid = Number(readFileSync(mark, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
