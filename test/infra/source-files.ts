import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface SourceFile {
  /** From the top of the repository: `shared/domain/units/milli.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Every hand-written code file below these folders. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|js|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({
        path: relative(ROOT, file).replaceAll("\\", "/"),
        text: readFileSync(file, "utf8"),
      })),
  );
}

/** The text without its comments: what a rule about code looks at. */
export function code({ text }: SourceFile): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
