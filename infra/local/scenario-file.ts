import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { type ParsedScenario, parseScenario, type ScenarioOverrides } from "#sim/scenario/scenario";

const BUILT_IN = fileURLToPath(new URL("scenarios", import.meta.url));

/** The names of the scenarios that come with Mainsheet. */
export function scenarioNames(): string[] {
  return readdirSync(BUILT_IN)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => basename(file, ".yaml"));
}

/** Reads a built-in scenario by name, or a file; every fault is one sentence with the file's name. */
export function readScenario(nameOrFile: string, overrides: ScenarioOverrides = {}): ParsedScenario {
  const isName = scenarioNames().includes(nameOrFile);
  const path = isName ? join(BUILT_IN, `${nameOrFile}.yaml`) : nameOrFile;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const known = scenarioNames().join(", ");
    const { code } = error as NodeJS.ErrnoException;
    return fail(`${nameOrFile} is no built-in scenario (${known}) and cannot be read as a file (${code})`);
  }
  const documents = parseAllDocuments(text);
  for (const document of documents) {
    const [fault] = document.errors;
    if (fault) return fail(`${nameOrFile}: not YAML: ${fault.message.split("\n")[0]}`);
  }
  const parsed = parseScenario(
    documents.map((document) => document.toJS()),
    overrides,
  );
  return parsed.ok ? parsed : { ok: false, faults: parsed.faults.map((fault) => `${nameOrFile}: ${fault}`) };
}

function fail(fault: string): ParsedScenario {
  return { ok: false, faults: [fault] };
}
