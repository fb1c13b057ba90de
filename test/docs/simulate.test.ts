import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseManifests } from "#infra/cli/manifest-files";
import { simulateCommand } from "#infra/cli/simulate";
import { simulationLines } from "#infra/cli/simulate-text";
import { FIGURES } from "#infra/simulate/compare";
import { parseCondition } from "#infra/simulate/condition";
import { readLoadCsv } from "#infra/simulate/load-csv";
import { LOAD_SHAPES } from "#infra/simulate/load-shapes";
import { planSimulation } from "#infra/simulate/plan";
import { runSimulation } from "#infra/simulate/run";

const text = readFileSync(new URL("../../docs/simulate.md", import.meta.url), "utf8");

/** The code spans of the first cells under a heading row. */
function names(heading: string): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  expect(start).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  const cells = rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) => line.split(" | ")[0]);
  return cells.flatMap((cell) => [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ""));
}

describe("docs/simulate.md", () => {
  it("defines every figure that a condition may name, and no other", () => {
    expect(names("`--fail-if`, `--json`").sort()).toEqual([...FIGURES].sort());
  });

  it("describes every named shape, and no other", () => {
    expect(names("shape").sort()).toEqual(Object.keys(LOAD_SHAPES).sort());
  });

  it("has every option of the command but those of where the state is", () => {
    const ofState = ["--stack", "--region", "--endpoint", "--hub", "--webhooks"];
    const options = simulateCommand().options.map(({ long, short }) =>
      long === "--filename" ? short : long,
    );
    const told = names("option").map((option) => option.split(" ")[0]);
    expect(told.sort()).toEqual(options.filter((option) => !ofState.includes(option ?? "")).sort());
  });

  it("shows what the command prints for the tutorial", async () => {
    const path = "infra/local/scenarios/tutorial.yaml";
    const manifests = parseManifests(path, readFileSync(path, "utf8"));
    const planned = planSimulation({ title: path, manifests, forMs: 300_000 });
    if (!planned.ok) throw new Error(planned.faults.join());
    const lines = simulationLines({ v: 1, runs: [await runSimulation(planned.plan)] });
    expect(text).toContain(`\`\`\`\n${lines.join("\n")}\n\`\`\``);
  });

  it("its conditions and its CSV can be used", () => {
    const figures = [...FIGURES, ...FIGURES.map((figure) => `second.${figure}`)];
    const conditions = [...text.matchAll(/--fail-if "([^"]+)"/g)].map(([, condition]) => condition ?? "");
    expect(conditions).toHaveLength(2);
    expect(conditions.filter((condition) => !parseCondition(condition, figures).ok)).toEqual([]);
    const [, csv = ""] = /```\n(time,[^`]+)```/.exec(text) ?? [];
    expect(readLoadCsv("docs", csv)).toMatchObject({ ok: true, value: { spanSeconds: 600 } });
  });
});
