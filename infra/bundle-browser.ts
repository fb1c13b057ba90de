/** Builds what runs in a browser: one script and one style sheet, with nothing left outside. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const BROWSER = fileURLToPath(new URL("browser", import.meta.url));
const UPLOT = dirname(dirname(createRequire(import.meta.url).resolve("uplot")));

export interface BrowserBundle {
  readonly script: string;
  readonly style: string;
}

/** What `<name>/main.ts` and `<name>/main.css` of `infra/browser` come to. The same sources give the same bytes. */
export async function bundleBrowser(name: "page" | "report"): Promise<BrowserBundle> {
  const licence = await readFile(join(UPLOT, "LICENSE"), "utf8");
  const { outputFiles } = await build({
    absWorkingDir: BROWSER,
    entryPoints: [
      { in: join(BROWSER, name, "main.ts"), out: "script" },
      { in: join(BROWSER, name, "main.css"), out: "style" },
    ],
    outdir: BROWSER,
    bundle: true,
    platform: "browser",
    format: "iife",
    target: ["chrome123", "firefox121", "safari17.5"],
    minify: true,
    banner: { js: `/*! uPlot\n${licence.trim()}\n*/` },
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  const textOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  return { script: textOf(".js"), style: textOf(".css") };
}
