import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const BUNDLES = fileURLToPath(new URL("../dist/functions", import.meta.url));
const SCRIPT = fileURLToPath(new URL("bundle.ts", import.meta.url));

/**
 * Builds the functions and returns their folder: `bundleFunctions` for a caller that cannot wait, as a construct. Throws
 * with what the build said.
 */
export function builtBundles(): string {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const { status, stderr } = spawnSync(process.execPath, ["--import", tsx, SCRIPT], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the functions cannot be built: ${stderr.trim()}`);
  return BUNDLES;
}
