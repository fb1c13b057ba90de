import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleFunctions } from "#infra/bundle";
import { type AwsHost, startAws } from "#infra/local/aws-host";
import { realClock } from "#infra/local/real-clock";
import { TOPOLOGY } from "#infra/topology";
import { busOf, nameOf, namespaceOf } from "#test/bench/event-fleet";
import type { Measurement } from "#test/bench/section";
import { mainsheetEvent } from "#wire/events";

const PROCESS = fileURLToPath(new URL("route-process.mjs", import.meta.url));
const BATCH = 10;
/** What is resident in the first two seconds is code that is being loaded and compiled, and a heap that finds its size. */
const SETTLED_MS = 2_000;
const DRAINED_WITHIN_MS = 60_000;

interface Sample {
  readonly atMs: number;
  readonly residentMb: number;
}

/**
 * The memory of one environment of `route` in a storm of events about so many objects: its bundle in a process of its own,
 * with the queues, the table and the bus of the local host, on the wall's clock. The first two seconds are over when
 * their events are worked, however long a busy machine takes for it.
 */
export async function routeMemory(events: number, objects: number, stormMs: number): Promise<Measurement> {
  const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-bench-route-"));
  const clock = realClock();
  const samples: Sample[] = [];
  const waiting = new Map<number, (response: unknown) => void>();
  let route: Promise<ChildProcess> | undefined;
  let startedAt = 0;
  let invocations = 0;
  let evaluations = 0;
  let host: AwsHost | undefined;
  try {
    await bundleFunctions(join(dataDir, "functions"), ["route"]);
    host = await startAws({
      topology: TOPOLOGY,
      clock,
      dataDir: join(dataDir, "host"),
      environment: () => ({ MAINSHEET_HUBS: HUBS }),
      functions: {
        async invoke(name, event, { environment }) {
          if (name === "reconcile") evaluations += (event as { Records: unknown[] }).Records.length;
          if (name !== "route") return { batchItemFailures: [] };
          route ??= startRoute(join(dataDir, "functions"), environment, ({ id, response, residentMb }) => {
            samples.push({ atMs: performance.now() - startedAt, residentMb });
            waiting.get(id)?.(response);
            waiting.delete(id);
          });
          invocations += 1;
          const id = invocations;
          const answered = new Promise((resolve) => waiting.set(id, resolve));
          (await route).send({ id, event });
          return answered;
        },
      },
    });
    const running = clock.runUntil(Number.POSITIVE_INFINITY);
    const { bus, close } = busOf({ aws: host });
    startedAt = performance.now();
    for (let n = 0; n < events; n += BATCH) {
      await sleep(Math.max(0, startedAt + (n / events) * stormMs - performance.now()));
      await bus.put(Array.from({ length: BATCH }, (_, k) => eventOf(n + k, objects)));
    }
    await drained(host);
    close();
    clock.stop();
    await running;
    return {
      events,
      objects,
      routeInvocations: invocations,
      evaluations,
      ...summary(samples, SETTLED_MS / stormMs),
    };
  } finally {
    clock.stop();
    await host?.stop();
    (await route)?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const HUBS = JSON.stringify([{ name: "local", kubeconfig: { path: "/nowhere" }, mode: "observe" }]);

function eventOf(n: number, objects: number) {
  const i = n % objects;
  const about = { namespace: namespaceOf(i), name: nameOf(i) };
  const detail = { v: 1, id: `storm-${n}`, hub: "local", ...about } as const;
  return mainsheetEvent("ReconcileRequested", detail, Date.now());
}

async function startRoute(
  bundles: string,
  environment: Readonly<Record<string, string>>,
  answered: (answer: { id: number; response: unknown; residentMb: number }) => void,
): Promise<ChildProcess> {
  const started = fork(PROCESS, [join(bundles, "route", "index.mjs")], {
    env: { ...environment, POWERTOOLS_LOG_LEVEL: "SILENT" },
    serialization: "advanced",
  });
  await once(started, "message");
  started.on("message", answered);
  return started;
}

async function drained(host: AwsHost): Promise<void> {
  const untilMs = performance.now() + DRAINED_WITHIN_MS;
  const waits = () =>
    Object.values(host.statistics().queues).some(
      ({ visible, inFlight, delayed }) => visible + inFlight + delayed > 0,
    );
  while (waits()) {
    if (performance.now() > untilMs) throw new Error("the queues are not empty a minute after the storm");
    await sleep(50);
  }
}

function summary(samples: readonly Sample[], settledShare: number): Record<string, number> {
  const worked = samples.slice(Math.ceil(samples.length * settledShare));
  const settled = worked.filter(({ atMs }) => atMs >= SETTLED_MS).map(({ residentMb }) => residentMb);
  const first = settled[0] ?? Number.NaN;
  const largest = Math.max(...settled);
  return {
    residentAfter2sMb: Math.round(first),
    largestMb: Math.round(largest),
    growthMb: Math.round(largest - first),
    drainedAfterMs: Math.round(samples.at(-1)?.atMs ?? Number.NaN),
  };
}
