import { Command, CommanderError } from "commander";
import { CliError, EXIT } from "./exit.ts";

/** Each command is loaded only when it is asked for: what `local` needs would cost the others a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  local: async () => (await import("./local.ts")).localCommand(),
  simulate: async () => (await import("./simulate.ts")).simulateCommand(),
  validate: async () => (await import("./validate.ts")).validateCommand(),
  next: async () => (await import("./next.ts")).nextCommand(),
  explain: async () => (await import("./explain.ts")).explainCommand(),
  history: async () => (await import("./history.ts")).historyCommand(),
  why: async () => (await import("./why.ts")).whyCommand(),
  replay: async () => (await import("./replay.ts")).replayCommand(),
  export: async () => (await import("./export.ts")).exportCommand(),
  relay: async () => (await import("./relay.ts")).relayCommand(),
  promote: async () => (await import("./promote.ts")).promoteCommand(),
  parked: async () => (await import("./parked.ts")).parkedCommand(),
  rbac: async () => (await import("./rbac.ts")).rbacCommand(),
  cost: async () => (await import("./cost.ts")).costCommand(),
};

const asked = COMMANDS[process.argv[2] ?? ""];
const commands = await Promise.all((asked ? [asked] : Object.values(COMMANDS)).map((load) => load()));

const program = new Command("mainsheet")
  .description("A serverless FederatedHPA for Karmada fleets.")
  .showSuggestionAfterError();
for (const command of commands) program.addCommand(command);
throwInsteadOfExit(program);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader has seen enough, as `head` does.
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const inner of command.commands) throwInsteadOfExit(inner as Command);
}

function report(error: unknown): number {
  if (error instanceof CliError) {
    process.stderr.write(`mainsheet: ${error.message}\n`);
    if (process.env.DEBUG) process.stderr.write(`${(error.cause as Error | undefined)?.stack}\n`);
    return error.exitCode;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  process.stderr.write(`mainsheet: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.environment;
}
