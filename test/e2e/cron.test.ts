import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#infra/local/host";
import { readScenario } from "#infra/local/scenario-file";
import { finished, mainsheet } from "./mainsheet.ts";

const MINUTES = 60_000;
const DAY_MS = 24 * 60 * MINUTES;

let dataDir: string;
let host: Host | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "mainsheet-cron-"));
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

describe("a day with 30 8 * * * → 1000 and 0 11 * * * → 1 on a Deployment over three clusters", () => {
  it(
    "is exactly two writes, each at its instant, with the replicas divided and told",
    async () => {
      const scenario = readScenario("cron-day");
      if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
      const { value } = scenario;
      const writes: string[] = [];
      host = await startHost({
        hub: {
          kind: "embedded",
          scenario: value,
          startMs: value.startMs,
          speed: 10_000,
          webhooks: true,
          port: 0,
        },
        dataDir,
        logDecisions: "changes",
        observe: () => {},
        observeRequest({ verb, resource }) {
          if (verb === "update" && resource === "deployments/scale") writes.push(at());
        },
      });
      const { clock, fleet, aws } = host;
      const at = () => new Date(clock.nowMs()).toISOString().slice(11, 19);
      await clock.runUntil(value.startMs + 10 * 60 * MINUTES);
      expect(placed()).toEqual({ member1: 500, member2: 250, member3: 250 });
      await clock.runUntil(value.startMs + DAY_MS);
      expect(writes).toEqual(["08:30:00", "11:00:00"]);
      expect(placed()).toEqual({ member1: 1 });
      expect(history()).toMatchObject([
        {
          ruleName: "open",
          successfulExecutions: [{ executionTime: "2026-03-02T08:30:00Z", appliedReplicas: 1000 }],
        },
        {
          ruleName: "close",
          successfulExecutions: [{ executionTime: "2026-03-02T11:00:00Z", appliedReplicas: 1 }],
        },
      ]);
      const { cron, tick } = aws.statistics().functions;
      expect(cron?.errors).toBe(0);
      expect(tick?.invocations).toBe(24 * 60 + 1);

      function placed(): Record<string, number> {
        const bindings = fleet?.fleet.hub.store.list(
          { group: "work.karmada.io", resource: "resourcebindings" },
          "default",
        );
        const clusters = bindings?.[0]?.spec?.clusters as { name: string; replicas: number }[];
        return Object.fromEntries(clusters.map(({ name, replicas }) => [name, replicas]));
      }
      function history(): unknown {
        const crons = { group: "autoscaling.karmada.io", resource: "cronfederatedhpas" };
        const status = fleet?.fleet.hub.store.get(crons, "default", "shop")?.status;
        return (status as { executionHistories?: unknown })?.executionHistories;
      }
    },
    5 * MINUTES,
  );
});

describe("stopped at 08:25", () => {
  const run = async (dir: string, start: string, duration: string) => {
    const args = [
      "--scenario",
      "cron-day",
      "--speed",
      "10000",
      "--data",
      dir,
      "--start",
      start,
      "--for",
      duration,
    ];
    const { lines, code, stderr } = await finished(mainsheet("local", "--json", ...args));
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.filter(({ type }) => type === "trouble")).toEqual([]);
    return records.filter(({ type }) => type === "cron");
  };

  it(
    "and started at 08:33 runs 08:30 once, late, and says so; started at 09:00 it skips it and says so",
    async () => {
      expect(await run(dataDir, "2026-03-02T08:20:00Z", "5m")).toEqual([]);
      const other = `${dataDir}-other`;
      cpSync(dataDir, other, { recursive: true });
      expect(await run(dataDir, "2026-03-02T08:33:00Z", "5m")).toMatchObject([
        {
          rule: "open",
          time: "2026-03-02T08:33:00Z",
          scheduleTime: "2026-03-02T08:30:00Z",
          result: "applied",
          why: "Deployment shop: replicas 1 → 1000, 3m late",
        },
      ]);
      try {
        expect(await run(other, "2026-03-02T09:00:00Z", "5m")).toMatchObject([
          {
            rule: "open",
            time: "2026-03-02T09:00:00Z",
            scheduleTime: "2026-03-02T08:30:00Z",
            result: "missed",
            why: "not run: it was found after its deadline, 30m late",
          },
        ]);
      } finally {
        rmSync(other, { recursive: true, force: true });
      }
    },
    2 * MINUTES,
  );
});
