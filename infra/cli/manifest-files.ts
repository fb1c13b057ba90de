import { parseAllDocuments } from "yaml";
import type { Manifest } from "#app/validate/finding";
import { CliError, messageOf } from "./exit.ts";
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
    if (error !== undefined) throw unreadable(file, error);
    const value = documentValue(file, document);
    return value === null || value === undefined ? [] : [{ file, value }];
  });
}

function documentValue(file: string, document: { toJS(): unknown }): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // An alias without its anchor, or aliases of aliases that would fill the memory.
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): CliError {
  const [reason] = messageOf(cause).split("\n");
  return new CliError("usage", `${file} is neither YAML nor JSON: ${reason}`, { cause });
}
