import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brotli } from "#adapters/zlib/compression";
import { listScales } from "#app/ledger/read-ledger";
import { parseManifests } from "#infra/cli/manifest-files";
import { openLocalState } from "#infra/cli/state-connection";
import { startHost } from "#infra/local/host";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import { readScenario } from "#infra/local/scenario-file";
import { planSimulation } from "#infra/simulate/plan";
import { runSimulation } from "#infra/simulate/run";
import { replayed } from "./replayed.ts";

const MINUTE = 60_000;

interface Run {
  /** What deciding each decision again came to. */
  readonly outcomes: readonly string[];
  /** `shop/web@SECONDS from → to` */
  readonly scales: readonly string[];
}

/** A run of a scenario over HTTP, with every decision on record. */
async function runOf(name: string, minutes: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "mainsheet-replay-"));
  const scenario = readScenario(name);
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const { startMs, manifests } = scenario.value;
  const hub = {
    kind: "embedded",
    scenario: scenario.value,
    startMs,
    speed: 10_000,
    webhooks: true,
    port: 0,
  } as const;
  const options = { hub, dataDir: folder, logDecisions: "changes", ledgerDecisions: "all" } as const;
  const host = await startHost({ ...options, observe: () => {} });
  try {
    await host.clock.runUntil(startMs + minutes * MINUTE);
    const { table, clock } = await openLocalState(host.aws.endpoint);
    const reader = { table, compression: brotli, nowMs: clock.nowMs() };
    const scales: string[] = [];
    for (const { kind, metadata } of manifests) {
      if (kind !== "FederatedHPA") continue;
      const id = {
        hub: LOCAL_HUBS.embedded,
        namespace: metadata.namespace ?? "default",
        name: metadata.name ?? "",
      };
      for (const { atMs, from, to } of await listScales(reader, id, {})) {
        scales.push(scaleText(id, (atMs - startMs) / 1000, from, to));
      }
    }
    return { outcomes: await replayed(host), scales };
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function scaleText(
  of: { namespace: string; name: string },
  second: number,
  from: number,
  to: number,
): string {
  return `${of.namespace}/${of.name}@${second} ${from} → ${to}`;
}

/** The same, simulated. */
async function simulatedScales(name: string, minutes: number): Promise<readonly string[]> {
  const path = `infra/local/scenarios/${name}.yaml`;
  const manifests = parseManifests(path, readFileSync(path, "utf8"));
  const planned = planSimulation({ title: name, manifests, forMs: (minutes * 60 + 15) * 1000 });
  if (!planned.ok) throw new Error(planned.faults.join("\n"));
  const { objects, fromMs } = await runSimulation(planned.plan);
  return objects.flatMap((object) =>
    object.scales.map(({ atMs, from, to }) => scaleText(object, (atMs - fromMs) / 1000, from, to)),
  );
}

describe("a local run over HTTP (issue 7)", { timeout: 5 * MINUTE }, () => {
  it.each([
    // A cluster is cut off and comes back within it.
    ["lost-cluster", 8],
    ["two-clusters-duplicated", 6],
  ])(
    "%s, %d minutes: every record replays to the same bytes, and simulated it scales the same",
    async (name, minutes) => {
      const { outcomes, scales } = await runOf(name, minutes);
      expect(outcomes.length).toBeGreaterThanOrEqual(minutes * 4);
      expect(new Set(outcomes)).toEqual(new Set(["same"]));
      expect(scales.length).toBeGreaterThan(0);
      expect(await simulatedScales(name, minutes)).toEqual(scales);
    },
  );
});
