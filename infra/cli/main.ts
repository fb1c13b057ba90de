import { Command, CommanderError } from "commander";
import { CliError, EXIT } from "./exit.ts";
import { localCommand } from "./local.ts";

const program = new Command("mainsheet")
  .description("A serverless FederatedHPA for Karmada fleets.")
  .showSuggestionAfterError()
  .exitOverride()
  .addCommand(localCommand());
for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
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
