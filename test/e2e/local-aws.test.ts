import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { bundleFunctions } from "#infra/bundle";
import {
  type AwsHost,
  type AwsHostEvent,
  type AwsHostOptions,
  lastInstantMs,
  startAws,
} from "#infra/local/aws-host";
import { type HostClock, virtualClock } from "#infra/local/clock";
import { realClock } from "#infra/local/real-clock";
import { TOPOLOGY } from "#infra/topology";
import type { QueuePort } from "#ports/queue";
import type { Item, TablePort } from "#ports/table";

const START_MS = Date.parse("2026-11-30T12:00:00Z");
const HANDLERS = fileURLToPath(new URL("local-aws", import.meta.url));
const HOST = fileURLToPath(new URL("local-aws-host.ts", import.meta.url));
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

describe("the topology on this machine", () => {
  let bundles: string;
  let dataDir: string;
  let clock: HostClock;
  let aws: AwsHost | undefined;
  let events: AwsHostEvent[];
  const clients: { destroy(): void }[] = [];
  beforeAll(async () => {
    bundles = mkdtempSync(join(tmpdir(), "bundles-"));
    await bundleFunctions(bundles, Object.keys(TOPOLOGY.functions), HANDLERS);
  });
  afterAll(() => rmSync(bundles, { recursive: true, force: true }));
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "local-aws-"));
    events = [];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    clock?.stop();
    await aws?.stop();
    aws = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(startMs: number, more: Partial<AwsHostOptions> = {}): Promise<AwsHost> {
    clock = more.clock ?? virtualClock({ startMs });
    aws = await startAws({
      topology: TOPOLOGY,
      clock,
      dataDir,
      functions: { bundles },
      observe: (event) => events.push(event),
      ...more,
    });
    return aws;
  }
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  function table(): TablePort {
    const documents = dynamoDocuments({ endpoint: aws?.endpoint ?? "", region: "us-east-1", credentials });
    clients.push(documents);
    return dynamoTable("state", { documents, clock });
  }
  function queue(): QueuePort {
    const client = sqsClient({ endpoint: aws?.endpoint ?? "", region: "us-east-1", credentials });
    clients.push(client);
    return sqsQueue({ reconcile: `${aws?.endpoint}/000000000000/reconcile.fifo` }, client);
  }
  const order = (object: string, what: string) => ({
    body: JSON.stringify({ slotMs: 0, object, do: what }),
    groupId: object,
    deduplicationId: object,
  });
  const worked = () => table().query({ pk: "worked" }, { nowMs: 0, consistent: true });
  const failures = () =>
    events.flatMap((event) =>
      event.kind === "invocation" && event.failure ? [event.failure.errorType] : [],
    );

  it("every slot of every minute reaches every object, once, at its instant", async () => {
    await start(START_MS);
    await clock.runUntil(START_MS + 179_999);
    const expected = Array.from({ length: 12 }, (_, slot) => START_MS + slot * 15_000).flatMap((slotMs) =>
      ["0", "1", "2"].map(
        (object): Item => ({
          pk: "worked",
          sk: `${slotMs}/${object}`,
          times: 1,
          receives: 1,
          atMs: slotMs,
        }),
      ),
    );
    expect(await worked()).toEqual(expected);
    expect(failures()).toEqual([]);
    const { functions, queues } = aws?.statistics() ?? {};
    expect(functions).toMatchObject({
      tick: { invocations: 3, errors: 0 },
      sweep: { invocations: 12, errors: 0 },
    });
    expect(Object.values(queues ?? {})).toEqual(
      Object.keys(TOPOLOGY.queues).map(() => ({ visible: 0, inFlight: 0, delayed: 0 })),
    );
    const published = events.filter((event) => event.kind === "bus");
    expect(published).toHaveLength(36);
    expect(published[0]).toMatchObject({
      bus: "mainsheet",
      known: true,
      event: { source: "test", "detail-type": "Worked", time: "2026-11-30T12:00:00Z" },
    });
  });

  it("a bus rule brings what it matches to its queue", async () => {
    const busRules = [{ bus: "mainsheet", pattern: { detail: { object: [1] } }, queue: "standard-dead" }];
    await start(START_MS, { busRules });
    await clock.runUntil(START_MS + 1_000);
    const parked = await table().query({ pk: "parked" }, { nowMs: 0 });
    expect(parked.map(({ body }) => JSON.parse(String(body)).detail)).toEqual([
      { slotMs: START_MS, object: 1 },
    ]);
  });

  it("a message that fails three times ends with the function of the dead letters, its group goes on", async () => {
    await start(START_MS);
    await queue().send("reconcile", [
      order("bad", "fail"),
      { ...order("bad", "work"), deduplicationId: "next" },
    ]);
    await clock.runUntil(START_MS + 200_000);
    expect(await table().query({ pk: "parked" }, { nowMs: 0 })).toMatchObject([
      {
        body: order("bad", "fail").body,
        receives: 4,
        queue: "arn:aws:sqs:us-east-1:000000000000:reconcile-dead.fifo",
      },
    ]);
    expect(await table().get({ pk: "worked", sk: "0/bad" }, { nowMs: 0 })).toMatchObject({ receives: 1 });
  });

  it("when the functions' process is killed during an invocation, the message comes back after its visibility", async () => {
    await start(START_MS, {
      observe(event) {
        events.push(event);
        const isHanging = event.kind === "log" && event.line.includes('"hang","receives":1');
        if (isHanging) process.kill(aws?.functionsPid ?? 0, "SIGKILL");
      },
    });
    await queue().send("reconcile", [order("killed", "hang")]);
    await clock.runUntil(START_MS + 59_999);
    expect(await table().get({ pk: "worked", sk: "0/killed" }, { nowMs: 0 })).toBeUndefined();
    await clock.runUntil(START_MS + 60_000);
    expect(await table().get({ pk: "worked", sk: "0/killed" }, { nowMs: 0 })).toMatchObject({
      times: 1,
      receives: 2,
      atMs: START_MS + 60_000,
    });
    expect(failures()).toContain("Runtime.ExitError");
  });

  it("when a worker ends, only its invocation fails", async () => {
    await start(START_MS);
    await queue().send("reconcile", [order("exit", "exit")]);
    await clock.runUntil(START_MS + 60_000);
    expect(failures()).toEqual(["Runtime.ExitError"]);
    expect(await table().get({ pk: "worked", sk: "0/exit" }, { nowMs: 0 })).toMatchObject({ receives: 2 });
  });

  it("on the wall's clock, functions see the wall's time and nothing waits for them", async () => {
    await start(0, { clock: realClock() });
    const before = Date.now();
    while (!events.some((event) => event.kind === "bus")) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [first] = await worked();
    expect(first?.atMs).toBeGreaterThanOrEqual(before);
    expect(first?.atMs).toBeLessThanOrEqual(Date.now());
  });

  it("handlers may be called in this process instead, with the same events", async () => {
    const calls: string[] = [];
    await start(START_MS, {
      functions: {
        invoke: async (name, event, { awsRequestId, environment }) => {
          const { Records } = event as { Records?: unknown[] };
          calls.push(
            `${name} ${Records?.length ?? "scheduled"} ${environment.TABLE_STATE} ${awsRequestId.length}`,
          );
        },
      },
    });
    await queue().send("reconcile", [order("a", "work"), order("b", "work")]);
    await clock.runUntil(START_MS + 1);
    expect(calls.sort()).toEqual(["reconcile 2 state 36", "tick scheduled undefined 36"]);
    expect(aws?.functionsPid).toBeUndefined();
  });

  it("after kill -9 of the host, twice, nothing that was acknowledged is lost, and every slot is worked", async () => {
    const first = await runUntilKilled(START_MS, 10);
    const resumeMs = lastInstantMs(dataDir) ?? 0;
    expect(resumeMs).toBeGreaterThan(START_MS);
    const second = await runUntilKilled(resumeMs, 5);
    const acknowledged = [...first, ...second];
    expect(acknowledged.length).toBeGreaterThan(10 + 5);

    const againMs = lastInstantMs(dataDir) ?? 0;
    await start(againMs);
    await clock.runUntil(againMs + 120_000);
    const sks = new Set((await worked()).map((item) => item.sk));
    expect(acknowledged.filter((sk) => !sks.has(sk))).toEqual([]);
    const slots = Math.floor((againMs + 60_000 - START_MS) / 15_000);
    const due = Array.from({ length: slots }, (_, slot) => START_MS + slot * 15_000).flatMap((slotMs) =>
      [0, 1, 2].map((object) => `${slotMs}/${object}`),
    );
    expect(due.filter((sk) => !sks.has(sk))).toEqual([]);
  }, 60_000);

  it("a second host on the same folder, or on the same port, is refused with a sentence", async () => {
    await start(START_MS);
    const first = aws;
    await expect(start(START_MS)).rejects.toThrow(/the data folder .* is in use by process \d+; stop/);
    const port = Number(new URL(first?.endpoint ?? "").port);
    const other = mkdtempSync(join(tmpdir(), "local-aws-"));
    await expect(start(START_MS, { dataDir: other, port })).rejects.toThrow(
      `the port ${port} cannot be listened on (EADDRINUSE); choose another`,
    );
    await expect(start(START_MS, { dataDir: other })).resolves.toBeDefined();
    await aws?.stop();
    aws = first;
    rmSync(other, { recursive: true, force: true });
  });

  it("stops within two seconds, also while a function hangs, and what it left comes back at the next start", async () => {
    await start(START_MS);
    await queue().send("reconcile", [order("left", "hang")]);
    const end = clock.runUntil(START_MS + 1);
    while (!events.some((event) => event.kind === "log" && event.line.includes('"hang"'))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const startedAt = performance.now();
    clock.stop();
    await aws?.stop();
    await end;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await start(lastInstantMs(dataDir) ?? 0);
    await clock.runUntil(START_MS + 60_000);
    expect(await table().get({ pk: "worked", sk: "0/left" }, { nowMs: 0 })).toMatchObject({ receives: 2 });
  });

  /** Runs a host until so many messages are worked; gives those, and those that a queue had accepted by then. */
  async function runUntilKilled(startMs: number, times: number): Promise<string[]> {
    const host = spawn(process.execPath, ["--import", "tsx", HOST, dataDir, bundles, String(startMs)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const acknowledged: string[] = [];
    let left = times;
    createInterface({ input: host.stdout }).on("line", (line) => {
      const [what = "", sk = ""] = line.split(" ");
      if (what !== "worked" && what !== "accepted") return;
      acknowledged.push(sk);
      if (what === "worked") left -= 1;
      if (left === 0) host.kill("SIGKILL");
    });
    await once(host, "close");
    expect(host.signalCode).toBe("SIGKILL");
    return acknowledged;
  }
});
