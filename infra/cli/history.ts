import { Command, InvalidArgumentError } from "commander";
import { listScales, type PastScale } from "#app/ledger/read-ledger";
import { formatInstant } from "#domain/units/instant";
import type { ObjectKey } from "#domain/work/shards";
import { duration } from "./arguments.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { knownObject, ledgerOf } from "./ledger-state.ts";
import { pastObject } from "./object-argument.ts";
import { showShadowHistory } from "./shadow-history.ts";
import type { StateConnection } from "./state-connection.ts";
import { paint, print, tableText } from "./terminal.ts";

interface HistoryOptions extends StateOptions {
  readonly since?: number;
  readonly limit: number;
  readonly shadow: boolean;
}

/** `mainsheet history`: the scales of one object, oldest first. */
export function historyCommand(): Command {
  return withPlace(new Command("history"), "the hub, where several know the object")
    .description("The scales of one FederatedHPA: when, from and to, where, why, and what came of them.")
    .addArgument(pastObject())
    .option("--since <duration>", "only those of the last 90s, 5m, 1h30m", duration)
    .option("--limit <n>", "the newest so many", count, 50)
    .option("--shadow", "what its shadow wanted, beside the real decisions", false)
    .action((object: ObjectKey, options: HistoryOptions) =>
      inState(options, (state) => runHistory(state, object, options)),
    );
}

async function runHistory(
  state: StateConnection,
  object: ObjectKey,
  { since, limit, shadow, json }: HistoryOptions,
): Promise<void> {
  const reader = ledgerOf(state);
  const id = await knownObject(state, reader, object);
  const span = since === undefined ? { limit } : { limit, sinceMs: Math.max(0, reader.nowMs - since) };
  if (shadow) return showShadowHistory(state, id, span, json);
  const scales = await listScales(reader, id, span);
  if (json) {
    print(JSON.stringify(scales.map((scale) => ({ hub: id.hub, ...jsonOf(scale) }))));
    return;
  }
  if (scales.length === 0) {
    print("no scales are on record");
    return;
  }
  const [heading = "", ...rows] = tableText(
    ["AT", "FROM", "TO", "CLUSTERS BEFORE", "OUTCOME", "CAUSE"],
    scales.map((scale) => [
      formatInstant(scale.atMs),
      String(scale.from),
      String(scale.to),
      clustersText(scale),
      scale.outcome,
      scale.seen?.summary ?? scale.reason,
    ]),
  );
  print(paint("bold", heading));
  for (const row of rows) print(row);
}

function clustersText({ seen }: PastScale): string {
  const clusters = Object.entries(seen?.clusters ?? {});
  return clusters.length === 0
    ? "-"
    : clusters.map(([cluster, replicas]) => `${cluster} ${replicas ?? "?"}`).join(", ");
}

function jsonOf({ seen, atMs, ...scale }: PastScale) {
  return {
    at: formatInstant(atMs),
    ...scale,
    ...(seen === undefined ? {} : { clustersBefore: seen.clusters, summary: seen.summary, code: seen.code }),
  };
}

function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 100_000) {
    throw new InvalidArgumentError("Allowed are whole numbers from 1 to 100000.");
  }
  return value;
}
