import type { DecisionRecord } from "#wire/decision-record";
import { decodeExported } from "#wire/exported-record";
import { decodeJson } from "#wire/json";
import { CliError } from "./exit.ts";
import { nameOf, readInput } from "./input-file.ts";

/** The decisions in a file of export, which holds one record, or one to a line. */
export function recordsIn(path: string): readonly DecisionRecord[] {
  const text = readInput(path);
  const whole = decodeExported(text);
  if (whole.ok) return whole.value === undefined ? [] : [whole.value];
  if (decodeJson(text).ok) throw new CliError("usage", `${nameOf(path)}: ${whole.fault}`);
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const record = decodeExported(line);
    if (record.ok) return record.value ?? [];
    throw new CliError("usage", `${nameOf(path)} line ${index + 1}: ${record.fault}`);
  });
}
