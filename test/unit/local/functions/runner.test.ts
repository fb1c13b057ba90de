import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleFunctions } from "#infra/bundle";
import {
  type FunctionError,
  type Runner,
  type RunnerEvent,
  startRunner,
} from "#infra/local/functions/runner";

const FIXTURE = fileURLToPath(new URL("fixture", import.meta.url));
const AT_MS = Date.parse("2030-01-02T03:04:05.678Z");

describe("functions in a process of their own", () => {
  let folder: string;
  let runner: Runner;
  let events: RunnerEvent[];
  let requests = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "runner-"));
    await bundleFunctions(join(folder, "bundles"), ["echo", "broken", "throwing"], FIXTURE);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    events = [];
    runner = await startRunner({
      functions: Object.fromEntries(
        ["echo", "broken", "throwing"].map((name) => [
          name,
          {
            bundle: join(folder, "bundles", name, "index.mjs"),
            timeoutSeconds: 0.8,
            memoryMb: 128,
            environment: { TABLE_STATE: "state" },
          },
        ]),
      ),
      scratch: join(folder, "process"),
      observe: (event) => events.push(event),
    });
  });
  afterEach(() => runner.stop());

  const invoke = (event: object, { name = "echo", atMs = AT_MS as number | "wall" } = {}) => {
    requests += 1;
    return runner.invoke({
      requestId: `r${requests}`,
      functionName: name,
      functionArn: `arn:${name}`,
      event,
      ...(atMs !== "wall" && { atMs }),
    }) as Promise<Record<string, unknown>>;
  };
  const failure = (outcome: Promise<unknown>) =>
    outcome.then(
      () => "succeeded",
      (error: FunctionError) => `${error.report.errorType}: ${error.report.errorMessage}`,
    );

  it("give back what the handler returned, through JSON as in Lambda", async () => {
    expect(await invoke({ n: 1 })).toMatchObject({ event: { n: 1 }, invocations: 1 });
    expect(await invoke({ do: "return nothing" })).toBeNull();
    expect(await invoke({ do: "return a date" })).toBe("1970-01-01T00:00:00.000Z");
  });

  it("see the host's instant as their time, already when they load; dates made from arguments stay", async () => {
    expect(await invoke({})).toMatchObject({
      loadedAt: "2030-01-02T03:04:05.678Z",
      now: "2030-01-02T03:04:05.678Z",
      captured: AT_MS,
      made: "1970-01-01T00:00:00.000Z",
      isDate: true,
      // Functions run in UTC, whatever the zone of this machine is.
      text: "Wed Jan 02 2030 03:04:05 GMT+0000 (Coordinated Universal Time)",
    });
    const later = await invoke({ do: "wait" }, { atMs: AT_MS + 1 });
    expect(later).toMatchObject({ now: "2030-01-02T03:04:05.679Z", invocations: 2 });
  });

  it("see the wall's time where the host has no other", async () => {
    const before = Date.now();
    const { captured } = await invoke({}, { atMs: "wall" });
    expect(captured).toBeGreaterThanOrEqual(before);
    expect(captured).toBeLessThanOrEqual(Date.now());
  });

  it("get Lambda's context, and an environment of their own", async () => {
    const answer = await invoke({});
    expect(answer).toMatchObject({
      context: {
        awsRequestId: `r${requests}`,
        functionName: "echo",
        functionVersion: "$LATEST",
        invokedFunctionArn: "arn:echo",
        memoryLimitInMB: "128",
        logGroupName: "/aws/lambda/echo",
      },
      environment: { TABLE_STATE: "state" },
    });
    expect(Object.keys(answer.environment as object)).toEqual(["TABLE_STATE"]);
    expect(answer.remainingMs).toBeGreaterThan(600);
    expect(answer.remainingMs).toBeLessThanOrEqual(800);
  });

  it("are kept warm, and one environment works one invocation at a time", async () => {
    const first = await Promise.all([invoke({ do: "wait" }), invoke({ do: "wait" }), invoke({ do: "wait" })]);
    expect(first.map(({ invocations }) => invocations)).toEqual([1, 1, 1]);
    const second = await Promise.all([invoke({ do: "wait" }), invoke({ do: "wait" })]);
    expect(second.map(({ invocations }) => invocations)).toEqual([2, 2]);
  });

  it("say their lines before their outcome, whole", async () => {
    await invoke({});
    expect(events.filter(({ kind }) => kind === "log")).toEqual(
      ["half a line, and the rest", "to stderr"].map((line) => ({
        kind: "log",
        functionName: "echo",
        requestId: `r${requests}`,
        line,
      })),
    );
  });

  it.each([
    ["throws", "throw", "RangeError: as told"],
    ["throws no Error", "throw text", "Error: as told"],
    ["exits", "exit", "Runtime.ExitError: Runtime exited with error: exit status 3"],
    ["leaves a rejection", "reject later", "Runtime.UnhandledPromiseRejection: nobody caught this"],
  ])("a handler that %s fails alone", async (_does, what, report) => {
    expect(await failure(invoke({ do: what }))).toBe(report);
    expect(await invoke({})).toMatchObject({ event: {} });
  });

  it.each(["hang", "spin"])("a handler that runs past its time-out is ended: %s", async (what) => {
    await invoke({});
    const startedAt = performance.now();
    expect(await failure(invoke({ do: what }))).toMatch(
      /^Sandbox\.Timedout: RequestId: r\d+ Error: Task timed out after 0\.80 seconds$/,
    );
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(799);
    expect(await invoke({})).toMatchObject({ invocations: 1 });
  });

  it.each([
    ["broken", "exports no function called handler"],
    ["throwing", "QUEUE_SWEEP is not set"],
  ])("a bundle that cannot be loaded fails each time: %s", async (name, reason) => {
    for (let i = 0; i < 2; i += 1) {
      expect(await failure(invoke({}, { name }))).toMatch(
        new RegExp(`^Runtime\\.ImportModuleError: .*${reason}`),
      );
    }
  });

  it("a function that is not there fails", async () => {
    expect(await failure(invoke({}, { name: "nowhere" }))).toBe(
      "ResourceNotFoundException: Function not found: nowhere",
    );
  });

  it("when their process is killed, everything in flight fails, and the next invocation finds a new one", async () => {
    await invoke({});
    const pid = runner.pid ?? 0;
    const inFlight = [failure(invoke({ do: "hang" })), failure(invoke({ do: "hang" }))];
    process.kill(pid, "SIGKILL");
    for (const outcome of inFlight) {
      expect(await outcome).toBe(`Runtime.ExitError: the functions' process ${pid} ended: SIGKILL`);
    }
    expect(await invoke({})).toMatchObject({ invocations: 1 });
    expect(runner.pid).not.toBe(pid);
    expect(events.filter(({ kind }) => kind === "process")).toMatchObject([
      { pid, state: "started" },
      { pid, state: "ended", reason: "SIGKILL" },
      { pid: runner.pid, state: "started" },
    ]);
  });

  it("a Ctrl-C of the terminal does not end their process; its host does", async () => {
    await invoke({});
    const pid = runner.pid ?? 0;
    process.kill(pid, "SIGINT");
    expect(await invoke({})).toMatchObject({ invocations: 2 });
    expect(runner.pid).toBe(pid);
  });

  it("stop lets work in flight end, and then the process is gone", async () => {
    const pid = runner.pid ?? 0;
    const last = invoke({ do: "wait" });
    await runner.stop();
    expect(await last).toMatchObject({ invocations: 1 });
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it("stop does not wait for work that does not end", async () => {
    await invoke({});
    const hanging = failure(invoke({ do: "hang" }));
    const startedAt = performance.now();
    await runner.stop();
    await hanging;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it("their process ends when its host is gone", async () => {
    const orphan = fork(join(folder, "process", "process.mjs"), {
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    orphan.disconnect();
    expect(await once(orphan, "exit")).toEqual([0, null]);
  });
});
