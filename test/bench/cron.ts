import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatInstant } from "#domain/units/instant";
import { startHost } from "#infra/local/host";
import { parseScenario, type Scenario } from "#sim/scenario/scenario";
import type { Measurement, Section } from "#test/bench/section";
import { decodeCronFederatedHpa } from "#wire/cron-federated-hpa";

const OBJECTS = 20;
const START_MS = Date.UTC(2026, 2, 2, 8, 58, 50);
/** Each object's rules; two full minutes are all that fits into the time of a section. */
const RULES = [
  { name: "first", schedule: "59 8 * * *", targetReplicas: 4 },
  { name: "second", schedule: "0 9 * * *", targetReplicas: 2 },
];
const INSTANTS_MS = [Date.UTC(2026, 2, 2, 8, 59), Date.UTC(2026, 2, 2, 9)];
const RUN_MS = 75_000;

/**
 * How late runs are in the local host at speed 1, the real functions behind real queues, table and hub over HTTP. By the
 * wall: from the rule's instant to the moment at which the hub was asked to write. By the status: executionTime minus
 * scheduleTime, whole seconds, on the host's clock, which stands still while a function works. The function's first
 * invocation is at the first instant, so that one holds its start.
 */
export const cronSection: Section = {
  name: "cron",
  run: async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-bench-cron-"));
    const writes: number[] = [];
    const host = await startHost({
      hub: { kind: "embedded", scenario: scenario(), startMs: START_MS, speed: 1, webhooks: true, port: 0 },
      dataDir,
      logDecisions: "changes",
      observe: () => {},
      observeRequest({ verb, resource }) {
        if (verb === "update" && resource === "deployments/scale") writes.push(performance.now() - startedAt);
      },
    });
    let startedAt = 0;
    try {
      startedAt = performance.now();
      await host.clock.runUntil(START_MS + RUN_MS);
      const store = host.fleet?.fleet.hub.store;
      const crons =
        store?.list({ group: "autoscaling.karmada.io", resource: "cronfederatedhpas" }, "default") ?? [];
      return INSTANTS_MS.map((instantMs, i) => ({
        functionStart: i === 0 ? "cold" : "warm",
        ...measure(instantMs, writes.slice(i * OBJECTS, (i + 1) * OBJECTS), statusLateness(crons, instantMs)),
      }));
    } finally {
      await host.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

function measure(instantMs: number, writes: readonly number[], told: readonly number[]): Measurement {
  if (writes.length !== OBJECTS || told.length !== OBJECTS) {
    throw new Error(
      `${formatInstant(instantMs)}: ${writes.length} writes and ${told.length} executions of ${OBJECTS} objects`,
    );
  }
  const late = writes.map((atMs) => Math.round(START_MS + atMs - instantMs)).sort((a, b) => a - b);
  return {
    instant: formatInstant(instantMs),
    objects: OBJECTS,
    wallLatenessMsSmallest: late[0] ?? 0,
    wallLatenessMsMedian: late[Math.floor(late.length / 2)] ?? 0,
    wallLatenessMsLargest: late.at(-1) ?? 0,
    statusLatenessSecondsLargest: Math.max(...told) / 1000,
  };
}

function statusLateness(crons: readonly unknown[], instantMs: number): number[] {
  return crons
    .flatMap((cron) => decodeCronFederatedHpa(cron).executionHistories)
    .flatMap(({ successfulExecutions }) => successfulExecutions)
    .filter(({ scheduleMs }) => scheduleMs === instantMs)
    .map(({ scheduleMs, executionMs }) => executionMs - scheduleMs);
}

function scenario(): Scenario {
  const parsed = parseScenario([
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "bench-cron" },
      spec: {
        start: formatInstant(START_MS),
        clusters: [{ name: "member1" }, { name: "member2" }, { name: "member3" }],
        copies: { count: OBJECTS },
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web-$(i)", labels: { app: "web-$(i)" } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: "web-$(i)" } },
        template: {
          metadata: { labels: { app: "web-$(i)" } },
          spec: { containers: [{ name: "web", image: "web:1" }] },
        },
      },
    },
    {
      apiVersion: "autoscaling.karmada.io/v1alpha1",
      kind: "CronFederatedHPA",
      metadata: { name: "web-$(i)" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web-$(i)" }, rules: RULES },
    },
  ]);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  return parsed.value;
}
