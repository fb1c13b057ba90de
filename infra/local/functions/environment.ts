/** One execution environment of a function: a worker thread, warm once its bundle is loaded, one invocation at a time. */
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type {
  FunctionConfig,
  Invocation,
  Outcome,
  WorkerMessage,
  WorkerStart,
  WorkerTask,
} from "./protocol.ts";

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));

export interface Environment {
  /** Never rejects: also what ends the environment, a time-out among it, is an outcome. */
  run(invocation: Invocation): Promise<Outcome>;
  readonly isAlive: boolean;
}

/** Starts to load the bundle; `atMs` is the instant of the invocation that needs it. */
export function startEnvironment(
  config: FunctionConfig,
  atMs: number | undefined,
  onLine: (requestId: string, line: string) => void,
): Environment {
  const worker = new Worker(WORKER, {
    env: config.environment,
    workerData: {
      bundle: config.bundle,
      memoryMb: config.memoryMb,
      ...(atMs !== undefined && { atMs }),
    } satisfies WorkerStart,
    resourceLimits: { maxOldGenerationSizeMb: config.memoryMb },
  });
  let isReady = false;
  let isAlive = true;
  let current: { task: WorkerTask; settle(outcome: Outcome): void; deadline?: NodeJS.Timeout } | undefined;

  function begin(): void {
    if (current === undefined || !isReady) return;
    const { requestId } = current.task;
    worker.postMessage(current.task);
    current.deadline = setTimeout(() => {
      const message = `RequestId: ${requestId} Error: Task timed out after ${config.timeoutSeconds.toFixed(2)} seconds`;
      die(failed("Sandbox.Timedout", message));
      worker.terminate();
    }, current.task.timeoutMs);
  }
  function end(outcome: Outcome): void {
    clearTimeout(current?.deadline);
    current?.settle(outcome);
    current = undefined;
  }
  function die(outcome: Outcome): void {
    isAlive = false;
    end(outcome);
  }

  worker.on("message", (message: WorkerMessage) => {
    if (message.kind === "log") onLine(current?.task.requestId ?? "", message.line);
    else if (message.kind === "outcome") end(message.outcome);
    else {
      isReady = true;
      begin();
    }
  });
  worker.on("error", (error: Error) => {
    die(
      failed(
        isReady ? "Runtime.UnhandledPromiseRejection" : "Runtime.ImportModuleError",
        error.message,
        error.stack,
      ),
    );
  });
  worker.on("exit", (code: number) => {
    die(failed("Runtime.ExitError", `Runtime exited with error: exit status ${code}`));
  });

  return {
    get isAlive() {
      return isAlive;
    },
    run: (invocation) =>
      new Promise((settle) => {
        current = { task: { ...invocation, timeoutMs: config.timeoutSeconds * 1000 }, settle };
        begin();
      }),
  };
}

export function failed(errorType: string, errorMessage: string, stack = ""): Outcome {
  return { ok: false, failure: { errorType, errorMessage, trace: stack === "" ? [] : stack.split("\n") } };
}
