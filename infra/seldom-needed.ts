import { basename, dirname, join } from "node:path";
import type { Plugin } from "esbuild";

/** What a function seldom needs: the file beside its `index.mjs`, without ending, and its source. */
export type SeldomNeeded = Map<string, string>;

/**
 * An esbuild plugin: a dynamic `import()` of ours says that a module is seldom needed, so no cold start should parse
 * it. It is left out, to be loaded from a file of its own; `found` gets what that file is to be built from.
 */
export function seldomNeeded(found: SeldomNeeded): Plugin {
  return {
    name: "seldom-needed",
    setup(build) {
      build.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const name = `${basename(dirname(join(resolveDir, path)))}-${basename(path, ".ts")}`;
        found.set(name, join(resolveDir, path));
        return { path: `./${name}.mjs`, external: true };
      });
    },
  };
}
