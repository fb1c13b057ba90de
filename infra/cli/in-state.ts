import { type Command, InvalidArgumentError } from "commander";
import { isPortFault } from "#ports/fault";
import { CliError, messageOf } from "./exit.ts";
import type { StateConnection } from "./state-connection.ts";

/** What every command that reads the state is told of where it is. */
export interface StateOptions {
  readonly endpoint?: string;
  readonly hub?: string;
  readonly json: boolean;
}

const WHERE = `
The state is that of a local host: --endpoint takes the address that "mainsheet local" prints after "cloud".
A deployed stack (--stack NAME) cannot be asked yet.`;

export function withPlace(command: Command, hub: string): Command {
  return command
    .option("--endpoint <url>", "the state's address", httpUrl)
    .option("--hub <name>", hub)
    .option("--json", "JSON instead of a table", false)
    .addHelpText("after", WHERE);
}

/** Works in the state; a table that does not answer is one sentence and exit 3. */
export async function inState(
  { endpoint, hub }: Omit<StateOptions, "json">,
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

function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
  if (!isHttp) throw new InvalidArgumentError("Allowed are http:// and https:// addresses.");
  return text.replace(/\/$/, "");
}
