import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));

/** A change of one source text, made while it is loaded; the file itself stays as it is. */
export interface Patch {
  /** From the package's root. */
  readonly file: string;
  /** Must be there exactly once. */
  readonly find: string;
  readonly put: string;
}

/**
 * Writes the storm's worker as one ESM file below `dist/storm` and comes back with its path. Faster to start and to run
 * than the sources, and the place where a fault can be planted without leaving a hook in the code under test. Throws
 * when a patch's text is not in its file exactly once, or its file is not part of the worker.
 */
export async function bundleWorker(name: string, patches: readonly Patch[] = []): Promise<string> {
  const outfile = join(PACKAGE, "dist", "storm", `${name}.mjs`);
  const applied = new Set<Patch>();
  await build({
    absWorkingDir: PACKAGE,
    entryPoints: ["test/storm/processes/worker.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    plugins: [patching(patches, applied)],
  });
  for (const { file } of patches.filter((patch) => !applied.has(patch)))
    throw new Error(`${file} is not part of the storm, so nothing can be planted there`);
  return outfile;
}

function patching(patches: readonly Patch[], applied: Set<Patch>): Plugin {
  return {
    name: "planted",
    setup({ onLoad }) {
      if (patches.length === 0) return;
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(PACKAGE, path);
        const own = patches.filter((patch) => patch.file === file);
        if (own.length === 0) return undefined;
        let contents = await readFile(path, "utf8");
        for (const patch of own) {
          contents = patched(contents, patch);
          applied.add(patch);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}

function patched(contents: string, { file, find, put }: Patch): string {
  const parts = contents.split(find);
  if (parts.length === 2) return parts.join(put);
  throw new Error(`${file} has ${parts.length - 1} times, not once: ${find}`);
}
