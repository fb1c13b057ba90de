import { readFileSync } from "node:fs";
import { CliError } from "./exit.ts";

/** The text of a file, of standard input for `-`. */
export function readInput(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError("usage", `${nameOf(path)} cannot be read (${code ?? message}); name a readable file`, {
      cause: error,
    });
  }
}

/** How a file is called in what people read. */
export function nameOf(path: string): string {
  return path === "-" ? "standard input" : path;
}
