import { randomUUID } from "node:crypto";
import { Argument, Command } from "commander";
import { listParked } from "#app/parked/list-parked";
import { parkedWork } from "#app/parked/parked-work";
import { type RedriveOutcome, redrive } from "#app/parked/redrive";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { formatInstant } from "#domain/units/instant";
import type { KeptMessage } from "#wire/parked";
import { CliError, EXIT } from "./exit.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import type { StateConnection } from "./state-connection.ts";
import { paint, print, tableText } from "./terminal.ts";

const HUB = "only this hub's messages, and those that name no hub";

/** `mainsheet parked`: the messages that could not be worked, and a second try for those that are worth one. */
export function parkedCommand(): Command {
  const parked = new Command("parked").description(
    "Messages that could not be worked: look at them, send them again.",
  );
  parked.addCommand(
    withPlace(new Command("list"), HUB)
      .description("Every parked message, with its cause and what became of it.")
      .action((options: StateOptions) => inState(options, (state) => runList(state, options))),
  );
  parked.addCommand(
    withPlace(new Command("redrive"), HUB)
      .description("Send parked messages to their queues again. Stale periodic work is reported, not sent.")
      .addArgument(new Argument("[id...]", "ids as in parked list; the beginning is enough"))
      .option("--all", "everything that is worth it", false)
      .action((ids: string[], options: StateOptions & { all: boolean }) => {
        if (ids.length > 0 === options.all) {
          throw new CliError("usage", "redrive takes ids or --all; give one of the two");
        }
        return inState(options, (state) => runRedrive(state, ids, options));
      }),
  );
  return parked;
}

async function runList(state: StateConnection, { json }: StateOptions): Promise<void> {
  const nowMs = state.clock.nowMs();
  const messages = await listParked(state.table, state.hubs, nowMs);
  const described = messages.map((message) => ({ message, ...describe(message, nowMs) }));
  if (json) {
    const listed = described.map(({ message, about, state: is }) => ({
      id: message.messageId,
      hub: message.hub,
      queue: message.queue,
      about,
      state: is,
      parkedAt: formatInstant(message.atMs),
      receiveCount: message.receiveCount,
      cause: message.cause,
      body: message.body,
    }));
    print(JSON.stringify(listed));
    return;
  }
  if (messages.length === 0) {
    print(paint("green", "nothing is parked"));
    return;
  }
  const [heading = "", ...rows] = tableText(
    ["ID", "PARKED", "HUB", "QUEUE", "WORK", "TRIES", "STATE", "CAUSE"],
    described.map(({ message, about, state: is }) => [
      message.messageId,
      formatInstant(message.atMs),
      message.hub,
      message.queue,
      about,
      String(message.receiveCount),
      is,
      message.cause,
    ]),
  );
  print(paint("bold", heading));
  for (const row of rows) print(row);
}

function describe(message: KeptMessage, nowMs: number): { readonly about: string; readonly state: string } {
  const work = parkedWork(message, nowMs, DEFAULT_POLICY.syncPeriodSeconds);
  const { about } = work;
  if (message.redrive?.sent) return { about, state: `redriven ${formatInstant(message.redrive.atMs)}` };
  if (message.redrive !== undefined) return { about, state: "redrive unfinished" };
  return { about, state: work.kind === "ready" ? "parked" : work.kind };
}

async function runRedrive(
  state: StateConnection,
  ids: readonly string[],
  { json }: StateOptions,
): Promise<void> {
  const { syncPeriodSeconds } = DEFAULT_POLICY;
  const deps = { ...state, ids: { next: randomUUID }, syncPeriodSeconds };
  const messages = await listParked(state.table, state.hubs, state.clock.nowMs());
  const chosen = ids.length === 0 ? messages : ids.flatMap((id) => named(messages, id));
  const outcomes: RedriveOutcome[] = [];
  for (const message of chosen) outcomes.push(await redrive(deps, message));
  if (json) {
    const told = outcomes.map(({ message, result, detail }) => ({ id: message.messageId, result, detail }));
    print(JSON.stringify(told));
  } else for (const line of outcomeLines(outcomes)) print(line);
  const isRefused = outcomes.some(({ result }) => result === "refused" || result === "contended");
  const isNotAsAsked = ids.length > 0 && outcomes.some(({ result }) => result !== "redriven");
  if (isRefused || isNotAsAsked) process.exitCode = EXIT.refused;
}

function named(messages: readonly KeptMessage[], id: string): readonly KeptMessage[] {
  const found = messages.filter(({ messageId }) => messageId.startsWith(id));
  const [first, ...others] = new Set(found.map(({ messageId }) => messageId));
  if (first === undefined) {
    throw new CliError("refused", `nothing is parked under ${id}; see mainsheet parked list`);
  }
  if (others.length > 0) throw new CliError("refused", `${id} begins several ids; write more of it`);
  return found;
}

function outcomeLines(outcomes: readonly RedriveOutcome[]): string[] {
  if (outcomes.length === 0) return [paint("green", "nothing is parked")];
  const [heading = "", ...rows] = tableText(
    ["ID", "RESULT", "DETAIL"],
    outcomes.map(({ message, result, detail }) => [message.messageId, result, detail]),
  );
  const painted = rows.map((row, i) => paint(outcomes[i]?.result === "redriven" ? "green" : "yellow", row));
  return [paint("bold", heading), ...painted];
}
