import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { type Host, rememberedInstantMs, startHost } from "#infra/local/host";
import { readScenario } from "#infra/local/scenario-file";
import { objectPartition } from "#wire/keys";
import { decodeScaleRecord, type ScaleRecord } from "#wire/scale-record";
import { replayed } from "./replayed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAINSHEET = join(ROOT, "infra/cli/mainsheet.mjs");
const MINUTES = 60_000;
const STEPS = ["1 to 5", "5 to 10", "10 to 1"];

/** The tutorial with a load of five minutes, so that what a crash delays is still wanted afterwards. */
function longTutorial(folder: string): string {
  const text = readFileSync(join(ROOT, "infra/local/scenarios/tutorial.yaml"), "utf8");
  const file = join(folder, "long.yaml");
  writeFileSync(file, text.replace("afterSeconds: 95", "afterSeconds: 335"));
  return file;
}

/** The host of a data folder in this process, where it goes on from what the folder holds. */
async function openHost(
  dataDir: string,
  scenarioFile: string,
  hooks: Partial<Parameters<typeof startHost>[0]> = {},
) {
  const scenario = readScenario(scenarioFile);
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const { value } = scenario;
  return startHost({
    hub: {
      kind: "embedded",
      scenario: value,
      startMs: rememberedInstantMs(dataDir) ?? value.startMs,
      speed: 10_000,
      webhooks: true,
      port: 0,
    },
    dataDir,
    observe: () => {},
    logDecisions: "changes",
    ...hooks,
  });
}

async function scaleRecords({ aws, clock }: Host): Promise<ScaleRecord[]> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const documents = dynamoDocuments({ endpoint: aws.endpoint, region: "us-east-1", credentials });
  const pk = objectPartition({ hub: "local", namespace: "default", name: "nginx" });
  const items = await dynamoTable("state", { documents }).query(
    { pk, prefix: "scale#" },
    { nowMs: clock.nowMs() },
  );
  return items.map(decodeScaleRecord);
}

const steps = (records: readonly ScaleRecord[]) => records.map(({ from, to }) => `${from} to ${to}`);

function rescaleEvents({ fleet }: Host): number {
  const events = fleet?.fleet.hub.store.list({ group: "", resource: "events" }, "default") ?? [];
  return events.filter(({ reason }) => reason === "SuccessfulRescale").length;
}

describe("kill -9", () => {
  let dataDir: string;
  let scenario: string;
  let host: Host | undefined;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "mainsheet-kill-"));
    scenario = longTutorial(dataDir);
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await host?.stop();
    host = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("of the functions' process between a scale's PUT and its outcome: recorded once, told once", async () => {
    let kills = 0;
    host = await openHost(dataDir, scenario, {
      observeRequest: ({ verb, resource }) => {
        const pid = host?.aws.functionsPid;
        if (verb !== "update" || resource !== "deployments/scale" || pid === undefined || kills === 2) return;
        kills += 1;
        process.kill(pid, "SIGKILL");
      },
    });
    await host.clock.runUntil(host.clock.nowMs() + 8 * MINUTES);
    expect(kills).toBe(2);
    expect(steps(await scaleRecords(host))).toEqual(STEPS);
    expect(rescaleEvents(host)).toBe(STEPS.length);
    expect(host.aws.statistics().functions.reconcile?.errors).toBe(2);
    // What the two that died had decided from went with them; their records say so.
    const outcomes = await replayed(host);
    expect(outcomes.filter((outcome) => outcome !== "same")).toEqual(["not-replayable", "not-replayable"]);
    expect(outcomes).toContain("same");
  }, 180_000);

  it("of the whole host in the middle of a scale-up: the next start goes on, nothing is lost or doubled", async () => {
    const args = [MAINSHEET, "local", "--scenario", scenario, "--data", dataDir, "--speed", "40", "--json"];
    const running = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    child = running;
    const exited = once(running, "exit");
    for await (const line of createInterface({ input: running.stdout })) {
      const { type, result } = JSON.parse(line) as { type: string; result?: string };
      if (type === "decision" && result === "scaled") break;
    }
    running.kill("SIGKILL");
    await exited;

    host = await openHost(dataDir, scenario);
    const before = await scaleRecords(host);
    expect(steps(before).at(0)).toBe("1 to 5");
    await host.clock.runUntil(host.clock.nowMs() + 9 * MINUTES);
    const after = await scaleRecords(host);
    expect(steps(after)).toEqual(STEPS);
    expect(rescaleEvents(host)).toBe(STEPS.length);
    expect(new Set(await replayed(host))).toEqual(new Set(["same"]));
    // The default policy's budget of a 15 s period held over the restart.
    expect((after[1]?.atMs ?? 0) - (after[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(15_000);
  }, 180_000);
});
