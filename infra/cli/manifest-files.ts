import { parseAllDocuments } from "yaml";
import type { Manifest } from "#app/validate/finding";
import { CliError } from "./exit.ts";
import { nameOf, readInput } from "./input-file.ts";

/** The documents of YAML and JSON files, without empty ones. What cannot be read ends the command. */
export function readManifests(paths: readonly string[]): readonly Manifest[] {
  return paths.flatMap((path) => parseManifests(nameOf(path), readInput(path)));
}

/**
 * YAML as Kubernetes reads it: 1.1, so that an unquoted `on` is a boolean, but without its dates and base-60 numbers,
 * which are texts there.
 */
export function parseManifests(file: string, text: string): readonly Manifest[] {
  const documents = parseAllDocuments(text, {
    version: "1.1",
    customTags: (tags) =>
      tags.filter(
        (tag) => typeof tag === "string" || !(tag.format === "TIME" || tag.tag.endsWith(":timestamp")),
      ),
  });
  return documents.flatMap((document): readonly Manifest[] => {
    const [error] = document.errors;
    if (error !== undefined) {
      throw new CliError("usage", `${file} is neither YAML nor JSON: ${error.message.split("\n")[0]}`);
    }
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : [{ file, value }];
  });
}
