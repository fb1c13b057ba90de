import { Argument, InvalidArgumentError } from "commander";
import type { ObjectKey } from "#domain/work/shards";

/** Reads `NAMESPACE/NAME`; what it throws commander turns into one sentence and exit 2. */
export function objectName(text: string): ObjectKey {
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined) {
    throw new InvalidArgumentError("Allowed is NAMESPACE/NAME.");
  }
  return { namespace, name };
}

/** The argument of every command that looks up one object's past. */
export function pastObject(kind = "a FederatedHPA"): Argument {
  return new Argument("<object>", `NAMESPACE/NAME of ${kind}`).argParser(objectName);
}
