/** Lambda on this machine: functions run in one process of their own, which is started again when it dies. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type {
  FailureReport,
  FunctionConfig,
  HostMessage,
  Invocation,
  Outcome,
  ProcessMessage,
} from "./protocol.ts";

export type RunnerEvent =
  | { readonly kind: "log"; readonly functionName: string; readonly requestId: string; readonly line: string }
  | { readonly kind: "process"; readonly pid: number; readonly state: "started" }
  | { readonly kind: "process"; readonly pid: number; readonly state: "ended"; readonly reason: string };

export interface RunnerOptions {
  readonly functions: Readonly<Record<string, FunctionConfig>>;
  /** A folder for the process's own code. */
  readonly scratch: string;
  readonly observe?: (event: RunnerEvent) => void;
}

export interface Runner {
  /** What the handler returned; rejects with `FunctionError` when it threw, timed out or its process died. */
  invoke(invocation: Invocation): Promise<unknown>;
  /** Of the functions' process, while there is one. */
  readonly pid: number | undefined;
  /** Gives invocations in flight a moment to end, then ends the process. */
  stop(): Promise<void>;
}

export class FunctionError extends Error {
  readonly report: FailureReport;

  constructor(functionName: string, report: FailureReport) {
    super(`${functionName}: ${report.errorType}: ${report.errorMessage}`);
    this.name = "FunctionError";
    this.report = report;
  }
}

const GRACE_MS = 1_200;

export async function startRunner({
  functions,
  scratch,
  observe = () => {},
}: RunnerOptions): Promise<Runner> {
  await buildProcess(scratch);
  const inFlight = new Map<string, (outcome: Outcome) => void>();
  let child: ChildProcess | undefined;
  let stopped = false;

  function start(): ChildProcess {
    const started = fork(join(scratch, "process.mjs"), {
      execArgv: [],
      env: { PATH: process.env.PATH, TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const pid = started.pid ?? 0;
    started.on("message", (message: ProcessMessage) => {
      if (message.kind === "log") observe(message);
      else inFlight.get(message.requestId)?.(message.outcome);
    });
    started.on("exit", (code, signal) => {
      child = undefined;
      const reason = signal ?? `exit status ${code}`;
      observe({ kind: "process", pid, state: "ended", reason });
      const errorMessage = `the functions' process ${pid} ended: ${reason}`;
      for (const settle of [...inFlight.values()]) {
        settle({ ok: false, failure: { errorType: "Runtime.ExitError", errorMessage, trace: [] } });
      }
    });
    // Without a listener, a message to a process that just died would end the host.
    started.on("error", () => {});
    for (const stream of [started.stdout, started.stderr]) {
      if (stream !== null)
        relayLines(stream, (line) => observe({ kind: "log", functionName: "", requestId: "", line }));
    }
    started.send({ kind: "functions", functions } satisfies HostMessage);
    observe({ kind: "process", pid, state: "started" });
    return started;
  }
  child = start();

  return {
    get pid() {
      return child?.pid;
    },
    async invoke(invocation) {
      if (stopped) throw new Error("invariant: invoke after stop");
      child ??= start();
      const outcome = new Promise<Outcome>((resolve) => inFlight.set(invocation.requestId, resolve));
      child.send({ kind: "invoke", ...invocation } satisfies HostMessage);
      const result = await outcome;
      inFlight.delete(invocation.requestId);
      if (result.ok) return result.value;
      throw new FunctionError(invocation.functionName, result.failure);
    },
    async stop() {
      stopped = true;
      const deadline = performance.now() + GRACE_MS;
      while (inFlight.size > 0 && performance.now() < deadline) await sleep(10);
      const last = child;
      if (last === undefined) return;
      const ended = once(last, "exit");
      last.kill("SIGKILL");
      await ended;
    },
  };
}

/** The process and its workers, compiled: they start in a third of the time that sources take. */
async function buildProcess(outDir: string): Promise<void> {
  await build({
    entryPoints: ["process.ts", "worker.ts"].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    outdir: outDir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
}

function relayLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream }).on("line", onLine);
}
