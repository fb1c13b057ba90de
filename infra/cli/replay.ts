import { Command } from "commander";
import { decisionAt } from "#app/ledger/read-ledger";
import { type Replayed, replay } from "#app/ledger/replay";
import { countText } from "#domain/units/count-text";
import { CODE_VERSION } from "#wire/code-version";
import type { DecisionRecord } from "#wire/decision-record";
import { parseRecordId, type RecordKey, recordId } from "#wire/record-id";
import { CliError, EXIT } from "./exit.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { knownObject, ledgerOf, wholeRecord } from "./ledger-state.ts";
import { recordsIn } from "./record-file.ts";
import { paint, print } from "./terminal.ts";

/** `mainsheet replay`: decides again from records, and holds the decisions against the recorded ones. */
export function replayCommand(): Command {
  return withPlace(new Command("replay"), "the hub, where several know the object")
    .description("Decide again from a record: the same bytes, or the first difference and exit 1.")
    .argument("<id|file>", "NAMESPACE/NAME@INSTANT as why names it, or a file of export; - is standard input")
    .action(async (asked: string, options: StateOptions) => {
      const key = parseRecordId(asked);
      if (key === undefined) tell(recordsIn(asked), options);
      else await replayOnRecord(key, options);
    });
}

function replayOnRecord(key: RecordKey, options: StateOptions): Promise<void> {
  return inState(options, async (state) => {
    const reader = ledgerOf(state);
    const id = await knownObject(state, reader, key);
    const item = await decisionAt(reader, id, key.atMs);
    if (item === undefined) {
      throw new CliError("refused", `no decision ${recordId(key)} is on record; mainsheet export lists them`);
    }
    tell([await wholeRecord(reader, id, item)], options);
  });
}

function tell(records: readonly DecisionRecord[], { json }: StateOptions): void {
  if (records.length === 0) throw new CliError("refused", "there is no decision to replay");
  const replayed = records.map((record) => ({ record, outcome: replay(record) }));
  const isSame = replayed.some(({ outcome }) => outcome.result === "same");
  const isDifferent = replayed.some(({ outcome }) => outcome.result === "different");
  if (json) {
    print(
      JSON.stringify(
        replayed.map(({ record, outcome }) => ({
          id: recordId({ ...record.id, atMs: record.atMs }),
          ...(record.shadow === undefined ? {} : { shadow: record.shadow.configMap }),
          ...outcome,
          recordedBy: record.code,
          decidedBy: CODE_VERSION,
        })),
      ),
    );
  } else {
    for (const { record, outcome } of replayed) for (const line of linesOf(record, outcome)) print(line);
    const same = replayed.filter(({ outcome }) => outcome.result === "same").length;
    if (same > 0) print(paint("green", `${countText(same, "decision")}: same bytes`));
  }
  if (isDifferent || !isSame) process.exitCode = EXIT.refused;
}

function linesOf({ id, atMs, code, shadow }: DecisionRecord, outcome: Replayed): string[] {
  const name = `${recordId({ ...id, atMs })}${shadow === undefined ? "" : ` by its shadow ${shadow.configMap}`}`;
  switch (outcome.result) {
    case "same":
      return [];
    case "not-replayable":
      return [paint("yellow", `${name} cannot be decided again: ${outcome.why}`)];
    case "different": {
      const { path, left, right } = outcome.difference;
      return [
        paint("red", `${name} differs first at ${path}`),
        `  recorded by version ${code}: ${left}`,
        `  decided by version ${CODE_VERSION}: ${right}`,
      ];
    }
  }
}
