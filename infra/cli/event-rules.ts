import { checkMappings, type EventMapping } from "#infra/event-mapping";
import { compilePattern } from "#infra/local/aws/events/pattern";
import { CliError, messageOf } from "./exit.ts";
import { nameOf, readInput } from "./input-file.ts";

/** The rules in a file of JSON or YAML, as `events` has them in cdk.json; throws one sentence for what is none. */
export async function readEventRules(path: string, hub: string): Promise<readonly EventMapping[]> {
  const text = readInput(path);
  const { parse } = await import("yaml");
  try {
    const rules: unknown = parse(text);
    if (!Array.isArray(rules)) throw new Error("a list of rules is needed, as docs/events.md has it");
    checkMappings(rules, [hub]);
    for (const { pattern } of rules as EventMapping[]) compilePattern(pattern);
    return rules;
  } catch (error) {
    throw new CliError("usage", `${nameOf(path)}: ${messageOf(error)}`, { cause: error });
  }
}
