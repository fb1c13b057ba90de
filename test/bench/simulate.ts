import { readFileSync } from "node:fs";
import { parseManifests } from "#infra/cli/manifest-files";
import { planSimulation } from "#infra/simulate/plan";
import { runSimulation } from "#infra/simulate/run";
import type { Measurement, Section } from "#test/bench/section";

const DAY_MS = 24 * 3600 * 1000;
const TUTORIAL = "infra/local/scenarios/tutorial.yaml";

/** What a simulated day costs: the tutorial's workload at rest and under a spiky load. */
export const simulateSection: Section = {
  name: "simulate",
  run: async () => [await measureDay("day"), await measureDay("spiky")],
};

async function measureDay(name: string): Promise<Measurement> {
  const manifests = parseManifests(TUTORIAL, readFileSync(TUTORIAL, "utf8"));
  const choice = { kind: "shape", name, noisePercent: 0 } as const;
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  const planned = planSimulation({ title: TUTORIAL, manifests, choice, seed: "7", forMs: DAY_MS });
  if (!planned.ok) throw new Error(planned.faults.join("\n"));
  const { slots, summary } = await runSimulation(planned.plan);
  const wallSeconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (slots !== 5760 || summary.failedEvaluations > 0)
    throw new Error(`${slots} slots, ${summary.failedEvaluations} failed`);
  return {
    load: name,
    slots,
    scales: summary.scaleEvents,
    wallSeconds: Math.round(wallSeconds * 10) / 10,
    cpuSeconds: Math.round((user + system) / 100_000) / 10,
  };
}
