/** The functions of the topology, ready to be invoked: by their bundles in a process of their own, or in this one. */
import { randomUUID } from "node:crypto";
import { functionArn } from "#infra/local/aws/names";
import type { HostClock } from "#infra/local/clock";
import type { FailureReport, FunctionConfig } from "./protocol.ts";
import { FunctionError, type RunnerEvent, startRunner } from "./runner.ts";

/** What is called in this process instead of a bundle; its clock is whatever its maker gave it. */
export type InProcess = (
  functionName: string,
  event: unknown,
  context: { readonly awsRequestId: string; readonly environment: Readonly<Record<string, string>> },
) => Promise<unknown>;

export type FunctionsEvent =
  | RunnerEvent
  | {
      readonly kind: "invocation";
      readonly functionName: string;
      readonly requestId: string;
      /** The host's instant. */
      readonly atMs: number;
      /** Of the wall. */
      readonly tookMs: number;
      readonly failure?: FailureReport;
    };

export interface FunctionCounts {
  readonly invocations: number;
  readonly errors: number;
}

export interface Functions {
  /** What the handler returned; rejects when it failed, after `observe` has been told. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  readonly pid: number | undefined;
  readonly counts: Readonly<Record<string, FunctionCounts>>;
  stop(): Promise<void>;
}

export interface FunctionsOptions {
  readonly configs: Readonly<Record<string, FunctionConfig>>;
  readonly clock: HostClock;
  /** Where the code of the functions' process goes; or what replaces that process. */
  readonly run: { readonly scratch: string } | { readonly invoke: InProcess };
  readonly observe: (event: FunctionsEvent) => void;
}

export async function startFunctions({ configs, clock, run, observe }: FunctionsOptions): Promise<Functions> {
  const counts: Record<string, FunctionCounts> = Object.fromEntries(
    Object.keys(configs).map((name) => [name, { invocations: 0, errors: 0 }]),
  );
  const runner =
    "scratch" in run ? await startRunner({ functions: configs, scratch: run.scratch, observe }) : undefined;

  function call(functionName: string, requestId: string, event: unknown): Promise<unknown> {
    if (runner === undefined) {
      const { environment = {} } = configs[functionName] ?? {};
      return (run as { invoke: InProcess }).invoke(functionName, event, {
        awsRequestId: requestId,
        environment,
      });
    }
    const atMs = clock.isVirtual ? { atMs: clock.nowMs() } : {};
    return runner.invoke({ requestId, functionName, functionArn: functionArn(functionName), event, ...atMs });
  }

  return {
    counts,
    get pid() {
      return runner?.pid;
    },
    async invoke(functionName, event) {
      const requestId = randomUUID();
      const atMs = clock.nowMs();
      const startedAt = performance.now();
      let failure: FailureReport | undefined;
      try {
        return await call(functionName, requestId, event);
      } catch (error) {
        failure = reportOf(error);
        throw error;
      } finally {
        const { invocations, errors } = counts[functionName] ?? { invocations: 0, errors: 0 };
        counts[functionName] = {
          invocations: invocations + 1,
          errors: errors + (failure === undefined ? 0 : 1),
        };
        const tookMs = performance.now() - startedAt;
        observe({ kind: "invocation", functionName, requestId, atMs, tookMs, ...(failure && { failure }) });
      }
    },
    async stop() {
      await runner?.stop();
    },
  };
}

function reportOf(error: unknown): FailureReport {
  if (error instanceof FunctionError) return error.report;
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { errorType: name, errorMessage: message, trace: stack.split("\n") };
}
