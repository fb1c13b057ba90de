import { Command } from "commander";
import { decisionItems, listScales, shadowItems } from "#app/ledger/read-ledger";
import type { ObjectKey } from "#domain/work/shards";
import { exportDecision, exportScale } from "#wire/exported-record";
import type { Loaded } from "#wire/saved-decision";
import { duration } from "./arguments.ts";
import { CliError } from "./exit.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { knownObject, ledgerOf, wholeRecord } from "./ledger-state.ts";
import { pastObject } from "./object-argument.ts";
import type { StateConnection } from "./state-connection.ts";
import { print } from "./terminal.ts";

interface ExportOptions extends StateOptions {
  readonly since?: number;
}

/** `mainsheet export`: scales and decisions of one object as lines of JSON. */
export function exportCommand(): Command {
  return withPlace(new Command("export"), "the hub, where several know the object")
    .description(
      "The scales of one FederatedHPA, then its decisions on record and its shadow's, as JSON, one to a line.",
    )
    .addArgument(pastObject())
    .option("--since <duration>", "only those of the last 90s, 5m, 1h30m", duration)
    .action((object: ObjectKey, options: ExportOptions) =>
      inState(options, (state) => runExport(state, object, options)),
    );
}

async function runExport(state: StateConnection, object: ObjectKey, { since }: ExportOptions): Promise<void> {
  const reader = ledgerOf(state);
  const id = await knownObject(state, reader, object);
  const span = since === undefined ? {} : { sinceMs: Math.max(0, reader.nowMs - since) };
  for (const { seen: _seen, ...scale } of await listScales(reader, id, span)) {
    print(textOf(exportScale(id, scale)));
  }
  for (const items of [decisionItems(reader, id, span), shadowItems(reader, id, span)]) {
    for await (const item of items) print(textOf(exportDecision(await wholeRecord(reader, id, item))));
  }
}

function textOf(line: Loaded<string>): string {
  if (line.ok) return line.value;
  throw new CliError("refused", `a record has no JSON: ${line.fault}`);
}
