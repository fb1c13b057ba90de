/** One execution environment: a worker thread that loads one bundle and works one invocation at a time. */
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { FailureReport, WorkerMessage, WorkerStart, WorkerTask } from "./protocol.ts";
import { installVirtualDate } from "./virtual-date.ts";

const { bundle, memoryMb, atMs } = workerData as WorkerStart;
const say = (message: WorkerMessage) => parentPort?.postMessage(message);

const setDate = installVirtualDate();
setDate(atMs);
sayLinesOf(process.stdout);
sayLinesOf(process.stderr);

const { handler } = (await import(pathToFileURL(bundle).href)) as { handler?: unknown };
if (typeof handler !== "function") throw new Error(`${bundle} exports no function called handler`);

parentPort?.on("message", async (task: WorkerTask) => {
  setDate(task.atMs);
  try {
    const value: unknown = await handler(task.event, contextOf(task));
    // Through JSON as in Lambda: undefined becomes null, a Date a text.
    say({ kind: "outcome", outcome: { ok: true, value: JSON.parse(JSON.stringify(value ?? null)) } });
  } catch (error) {
    say({ kind: "outcome", outcome: { ok: false, failure: reportOf(error) } });
  }
});
say({ kind: "ready" });

/** Ref: Lambda Developer Guide, "Using the Lambda context object" (Node.js). */
function contextOf(task: WorkerTask) {
  const startedAt = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: task.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: task.functionArn,
    memoryLimitInMB: String(memoryMb),
    awsRequestId: task.requestId,
    logGroupName: `/aws/lambda/${task.functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, Math.round(task.timeoutMs - (performance.now() - startedAt))),
  };
}

function reportOf(error: unknown): FailureReport {
  if (!(error instanceof Error)) return { errorType: "Error", errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}

/**
 * Sends what is written as messages. A worker's own streams arrive through another channel, so that a line could come
 * after the outcome of its invocation, or never when the worker is ended.
 */
function sayLinesOf(stream: NodeJS.WriteStream): void {
  let rest = "";
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    const lines = (rest + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"))).split(
      "\n",
    );
    rest = lines.pop() ?? "";
    for (const line of lines) say({ kind: "log", line });
    const written = more.find((argument) => typeof argument === "function");
    written?.();
    return true;
  };
}
