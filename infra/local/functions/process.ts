/**
 * The functions' process: hosts the execution environments of all functions. An environment is started when an
 * invocation finds none idle, and kept while it lives. The process ends with the host.
 */
import { type Environment, failed, startEnvironment } from "./environment.ts";
import type { FunctionConfig, HostMessage, Invocation, Outcome, ProcessMessage } from "./protocol.ts";

let functions: Readonly<Record<string, FunctionConfig>> = {};
const idle = new Map<string, Environment[]>();
const tell = (message: ProcessMessage) => process.send?.(message);

process.on("message", async (message: HostMessage) => {
  if (message.kind === "functions") functions = message.functions;
  else tell({ kind: "outcome", requestId: message.requestId, outcome: await work(message) });
});
process.on("disconnect", () => process.exit(0));
// The host ends this process when its own work is done; a Ctrl-C of the terminal reaches both.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

async function work(invocation: Invocation): Promise<Outcome> {
  const { functionName, atMs } = invocation;
  const config = functions[functionName];
  if (config === undefined) return failed("ResourceNotFoundException", `Function not found: ${functionName}`);
  const environment =
    takeIdle(functionName) ??
    startEnvironment(config, atMs, (requestId, line) => tell({ kind: "log", functionName, requestId, line }));
  const outcome = await environment.run(invocation);
  if (environment.isAlive) idle.set(functionName, [...(idle.get(functionName) ?? []), environment]);
  return outcome;
}

/** The one used last, which is the warmest; those that died meanwhile are dropped. */
function takeIdle(functionName: string): Environment | undefined {
  const alive = (idle.get(functionName) ?? []).filter((environment) => environment.isAlive);
  const taken = alive.pop();
  idle.set(functionName, alive);
  return taken;
}
