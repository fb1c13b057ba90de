import { randomUUID } from "node:crypto";
import { Argument, Command, InvalidArgumentError } from "commander";
import { listParked } from "#app/parked/list-parked";
import { parkedWork } from "#app/parked/parked-work";
import { type RedriveOutcome, redrive } from "#app/parked/redrive";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import { formatInstant } from "#domain/units/instant";
import { isPortFault } from "#ports/fault";
import type { KeptMessage } from "#wire/parked";
import { CliError, EXIT, messageOf } from "./exit.ts";
import type { StateConnection } from "./state-connection.ts";
import { paint, print, tableText } from "./terminal.ts";

interface ParkedOptions {
  readonly endpoint?: string;
  readonly hub?: string;
  readonly json: boolean;
}

const WHERE = `
The state is that of a local host: --endpoint takes the address that "mainsheet local" prints after "cloud".
A deployed stack (--stack NAME) cannot be asked yet.`;

/** `mainsheet parked`: the messages that could not be worked, and a second try for those that are worth one. */
export function parkedCommand(): Command {
  const parked = new Command("parked").description(
    "Messages that could not be worked: look at them, send them again.",
  );
  parked.addCommand(
    withPlace(new Command("list"))
      .description("Every parked message, with its cause and what became of it.")
      .action((options: ParkedOptions) => inState(options, (state) => runList(state, options))),
  );
  parked.addCommand(
    withPlace(new Command("redrive"))
      .description("Send parked messages to their queues again. Stale periodic work is reported, not sent.")
      .addArgument(new Argument("[id...]", "ids as in parked list; the beginning is enough"))
      .option("--all", "everything that is worth it", false)
      .action((ids: string[], options: ParkedOptions & { all: boolean }) => {
        if (ids.length > 0 === options.all) {
          throw new CliError("usage", "redrive takes ids or --all; give one of the two");
        }
        return inState(options, (state) => runRedrive(state, ids, options));
      }),
  );
  return parked;
}

function withPlace(command: Command): Command {
  return command
    .option("--endpoint <url>", "the state's address", httpUrl)
    .option("--hub <name>", "only this hub's messages, and those that name no hub")
    .option("--json", "JSON instead of a table", false)
    .addHelpText("after", WHERE);
}

async function inState(
  { endpoint, hub }: ParkedOptions,
  work: (state: StateConnection) => Promise<void>,
): Promise<void> {
  if (endpoint === undefined) {
    throw new CliError(
      "usage",
      'where is the state? Give --endpoint with the "cloud" address of mainsheet local',
    );
  }
  // Set before the SDK is loaded, which warns of Node 20 on standard error.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const { openLocalState } = await import("./state-connection.ts");
  const state = await openLocalState(endpoint);
  try {
    await work(hub === undefined ? state : { ...state, hubs: [hub] });
  } catch (error) {
    throw isPortFault(error) ? new CliError("environment", messageOf(error), { cause: error }) : error;
  }
}

async function runList(state: StateConnection, { json }: ParkedOptions): Promise<void> {
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
  { json }: ParkedOptions,
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

function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
  if (!isHttp) throw new InvalidArgumentError("Allowed are http:// and https:// addresses.");
  return text.replace(/\/$/, "");
}
