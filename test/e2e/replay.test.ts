import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brotli } from "#adapters/zlib/compression";
import { decisionItems } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import { replay } from "#app/ledger/replay";
import { openLocalState } from "#infra/cli/state-connection";
import { startHost } from "#infra/local/host";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import { readScenario } from "#infra/local/scenario-file";

const MINUTE = 60_000;

/** Every decision of a run over HTTP, decided again. */
async function replayed(name: string, minutes: number): Promise<string[]> {
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
    const outcomes: string[] = [];
    for (const { kind, metadata } of manifests) {
      if (kind !== "FederatedHPA") continue;
      const id = {
        hub: LOCAL_HUBS.embedded,
        namespace: metadata.namespace ?? "default",
        name: metadata.name ?? "",
      };
      for await (const item of decisionItems(reader, id, {})) {
        const record = await readRecord(brotli, id, item);
        outcomes.push(record.ok ? replay(record.value).result : record.fault);
      }
    }
    return outcomes;
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("replay of every record of a local run: the same bytes (issue 7)", { timeout: 5 * MINUTE }, () => {
  it.each([
    // A cluster is cut off and comes back within it.
    ["lost-cluster", 8],
    ["two-clusters-duplicated", 6],
  ])("%s, %d minutes", async (name, minutes) => {
    const outcomes = await replayed(name, minutes);
    expect(outcomes.length).toBeGreaterThanOrEqual(minutes * 4);
    expect(new Set(outcomes)).toEqual(new Set(["same"]));
  });
});
