import { type ChildProcess, fork } from "node:child_process";
import type { Job, Result } from "./job.ts";

/** Little of what a storm makes lives on after it; with room for most of it the collector has little to do. */
const NODE_FLAGS = ["--max-semi-space-size=64"];

export interface PoolOptions {
  /** As `bundleWorker` wrote it. */
  readonly worker: string;
  readonly processes: number;
  /** Called in the order in which jobs end. `false` starts no further job; those that run are waited for. */
  readonly done: (result: Result) => boolean;
  /** Ends all processes and the run. */
  readonly signal?: AbortSignal;
}

/** Runs the jobs in their order, each in the next free process. Throws when a process dies of itself. */
export async function runJobs(jobs: Iterable<Job>, options: PoolOptions): Promise<void> {
  const { worker, processes, done, signal } = options;
  const queue = jobs[Symbol.iterator]();
  let goesOn = true;

  async function serve(child: ChildProcess): Promise<void> {
    for (let next = queue.next(); goesOn && !next.done; next = queue.next()) {
      const result = await answerOf(child, next.value);
      if (result === undefined) break;
      if (!done(result)) goesOn = false;
    }
    child.kill();
  }

  const children = Array.from({ length: processes }, () => fork(worker, { execArgv: NODE_FLAGS }));
  const endAll = () => {
    goesOn = false;
    for (const child of children) child.kill();
  };
  signal?.addEventListener("abort", endAll);
  try {
    await Promise.all(children.map(serve));
  } finally {
    signal?.removeEventListener("abort", endAll);
    endAll();
  }

  /** Undefined where the run was ended meanwhile. */
  function answerOf(child: ChildProcess, job: Job): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => {
        child.off("message", answered);
        if (signal?.aborted) resolve(undefined);
        else reject(new Error(`the process of seed ${job.seed} ended with ${code}`));
      };
      const answered = (result: unknown) => {
        child.off("exit", ended);
        resolve(result as Result);
      };
      child.once("exit", ended);
      child.once("message", answered);
      child.send(job);
    });
  }
}
