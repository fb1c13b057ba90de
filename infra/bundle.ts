/** Builds the functions: one ESM file each (and what it seldom needs), the same for the cloud and for this machine (decision 0001). */
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { leanModules } from "#infra/lean-modules";
import { type SeldomNeeded, seldomNeeded } from "#infra/seldom-needed";
import { WITH_RELAY } from "#infra/topology";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** Dependencies that still call `require` find one: an ESM file on Lambda has none (B106). */
const REQUIRE = 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);';

const SOURCE_PLACES = fileURLToPath(new URL("source-places.mjs", import.meta.url));

/**
 * Writes `<outDir>/<name>/index.mjs` with its source map for these functions (default: all there are), from
 * `<from>/<name>/handler.ts`, and beside it what the function seldom needs. Nothing is left outside the bundle, the AWS
 * SDK neither: what runs is what was tested.
 */
export async function bundleFunctions(
  outDir: string,
  names: readonly string[] = Object.keys(WITH_RELAY.functions),
  from: string = join(PACKAGE, "functions"),
): Promise<void> {
  const seldom: SeldomNeeded = new Map();
  const functions = await bundled(
    outDir,
    names.map((name) => ({ in: join(from, name, "handler.ts"), out: `${name}/index` })),
    seldomNeeded(seldom),
  );
  const asked = Object.entries(functions.metafile.outputs).flatMap(([path, { imports }]) =>
    imports.map((imported) => ({ name: basename(dirname(path)), file: basename(imported.path, ".mjs") })),
  );
  const parts = await bundled(
    outDir,
    asked.flatMap(({ name, file }) => {
      const source = seldom.get(file);
      return source === undefined ? [] : [{ in: source, out: `${name}/${file}` }];
    }),
  );
  const files = [...parts.outputFiles, ...functions.outputFiles];
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)));
}

function bundled(outdir: string, entryPoints: { in: string; out: string }[], ...plugins: Plugin[]) {
  return build({
    absWorkingDir: PACKAGE,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    // The SDK's ES modules lose what is not used; its CommonJS would come whole.
    mainFields: ["module", "main"],
    plugins: [leanModules, ...plugins],
    minify: true,
    metafile: true,
    sourcemap: "linked",
    sourcesContent: false,
    banner: { js: REQUIRE },
    inject: [SOURCE_PLACES],
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
}

/** At once: another host on this machine may be loading the file. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(fresh, contents);
  await rename(fresh, path);
}

const [, script] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  await bundleFunctions(join(PACKAGE, "dist", "functions"));
}
