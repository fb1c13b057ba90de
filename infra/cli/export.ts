import { Command } from "commander";
import { decisionItems, listCronRuns, listFailures, listScales, shadowItems } from "#app/ledger/read-ledger";
import type { ObjectKey } from "#domain/work/shards";
import { exportCronRun, exportDecision, exportFailure, exportScale } from "#wire/exported-record";
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
      "What is on record of one FederatedHPA as JSON, one to a line: scales, cron runs, failures, decisions.",
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
  const sinceMs = since === undefined ? 0 : Math.max(0, reader.nowMs - since);
  const span = { sinceMs };
  for (const { seen: _seen, ...scale } of await listScales(reader, id, span)) {
    print(textOf(exportScale(id, scale)));
  }
  for (const run of await listCronRuns(reader, id, span)) print(textOf(exportCronRun(id, run)));
  for (const failure of await listFailures(reader, id, sinceMs, reader.nowMs))
    print(textOf(exportFailure(id, failure)));
  for (const items of [decisionItems(reader, id, span), shadowItems(reader, id, span)]) {
    for await (const item of items) print(textOf(exportDecision(await wholeRecord(reader, id, item))));
  }
}

function textOf(line: Loaded<string>): string {
  if (line.ok) return line.value;
  throw new CliError("refused", `a record has no JSON: ${line.fault}`);
}
