import { Command, InvalidArgumentError } from "commander";
import type { Span } from "#app/ledger/read-ledger";
import type { ObjectKey } from "#domain/work/shards";
import { duration } from "./arguments.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { knownObject, ledgerOf } from "./ledger-state.ts";
import { pastObject } from "./object-argument.ts";
import { PAST_HEADING, type PastEvent, pastCells, pastEvents, pastJson } from "./past-events.ts";
import { showShadowHistory } from "./shadow-history.ts";
import type { StateConnection } from "./state-connection.ts";
import { paint, print, tableText } from "./terminal.ts";

interface HistoryOptions extends StateOptions {
  readonly since?: number;
  readonly limit: number;
  readonly shadow: boolean;
}

/** `mainsheet history`: the scales and cron runs of one object, oldest first. */
export function historyCommand(): Command {
  return withPlace(new Command("history"), "the hub, where several know the object")
    .description(
      "The scales and cron runs of one object: when, from and to, where, why, and what came of them.",
    )
    .addArgument(pastObject("a FederatedHPA or CronFederatedHPA"))
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
  const span = since === undefined ? { limit } : { limit, sinceMs: Math.max(0, reader.nowMs - since) };
  if (shadow) return showShadowHistory(state, await knownObject(state, reader, object), span, json);
  const { hub, events } = await eventsOnOneHub(state, object, span);
  if (json) {
    print(JSON.stringify(events.map((event) => ({ hub, ...pastJson(event) }))));
    return;
  }
  if (events.length === 0) {
    print("no scales and no cron runs are on record");
    return;
  }
  const [heading = "", ...rows] = tableText(PAST_HEADING, events.map(pastCells));
  print(paint("bold", heading));
  for (const row of rows) print(row);
}

/** What happened on the one hub that knows the object, be it a FederatedHPA or a CronFederatedHPA. */
async function eventsOnOneHub(
  state: StateConnection,
  { namespace, name }: ObjectKey,
  span: Span & { readonly limit: number },
): Promise<{ readonly hub: string; readonly events: readonly PastEvent[] }> {
  const reader = ledgerOf(state);
  const read = await Promise.all(
    state.hubs.map(async (hub) => ({
      hub,
      events: await pastEvents(reader, { hub, namespace, name }, span),
    })),
  );
  const [found, other] = read.flatMap(({ hub, events }) => (events === undefined ? [] : [{ hub, events }]));
  if (found !== undefined && other === undefined) return found;
  // Says that nobody knows it, or that several do.
  return { hub: (await knownObject(state, reader, { namespace, name })).hub, events: found?.events ?? [] };
}

function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 100_000) {
    throw new InvalidArgumentError("Allowed are whole numbers from 1 to 100000.");
  }
  return value;
}
