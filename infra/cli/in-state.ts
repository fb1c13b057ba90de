import { type Command, InvalidArgumentError } from "commander";
import { isPortFault } from "#ports/fault";
import { CliError, messageOf } from "./exit.ts";
import type { StateConnection } from "./state-connection.ts";

/** What every command that reads the state is told of where it is. */
export interface StateOptions {
  readonly stack?: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly hub?: string;
  readonly json: boolean;
}

const WHERE = `
The state is that of a deployed stack (--stack, with the AWS CLI's credentials and region), or of a local host
(--endpoint takes the address that "mainsheet local" prints after "cloud").`;

export function withPlace(command: Command, hub: string): Command {
  return command
    .option("--stack <name>", "the state of this CloudFormation stack")
    .option("--region <name>", "the stack's region (default: the AWS CLI's)")
    .option("--endpoint <url>", "the state of the local host at this address", httpUrl)
    .option("--hub <name>", hub)
    .option("--json", "JSON instead of a table", false)
    .addHelpText("after", WHERE);
}

/** Works in the state; a table that does not answer is one sentence and exit 3. */
export async function inState(
  {
    stack,
    region,
    endpoint,
    hub,
  }: Omit<StateOptions, "json" | "hub"> & { readonly hub?: string | undefined },
  work: (state: StateConnection) => Promise<void>,
): Promise<void> {
  // Set before the SDK is loaded, which warns of Node 20 on standard error.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const state = await openState(stack, region, endpoint);
  try {
    await work(hub === undefined ? state : { ...state, hubs: [hub] });
  } catch (error) {
    throw isPortFault(error) ? new CliError("environment", messageOf(error), { cause: error }) : error;
  }
}

async function openState(
  stack: string | undefined,
  region: string | undefined,
  endpoint: string | undefined,
): Promise<StateConnection> {
  if (stack !== undefined && endpoint !== undefined) {
    throw new CliError("usage", "--stack and --endpoint exclude each other; give the one that is meant");
  }
  if (region !== undefined && stack === undefined) {
    throw new CliError("usage", "--region goes with --stack; add it");
  }
  if (stack !== undefined) {
    const { openStackState } = await import("./stack-connection.ts");
    return openStackState(stack, region);
  }
  if (endpoint !== undefined) {
    const { openLocalState } = await import("./state-connection.ts");
    return openLocalState(endpoint);
  }
  throw new CliError(
    "usage",
    'where is the state? Give --stack with the name of a deployed stack, or --endpoint with the "cloud" address of mainsheet local',
  );
}

function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
  if (!isHttp) throw new InvalidArgumentError("Allowed are http:// and https:// addresses.");
  return text.replace(/\/$/, "");
}
