import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decision } from "#domain/scale/decision";
import { type Host, startHost } from "#infra/local/host";
import { readScenario } from "#infra/local/scenario-file";
import type { SimulationReport } from "#infra/simulate/result";
import type { Scenario } from "#sim/scenario/scenario";
import { finished, mainsheet as start } from "./mainsheet.ts";

const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), "mainsheet-ledger-"));
const exported = join(folder, "export.jsonl");
let host: Host;

/** The real command against the host that ran the tutorial. */
async function mainsheet(...args: string[]) {
  const { lines, ...rest } = await finished(start(...args, "--endpoint", host.aws.endpoint));
  return { ...rest, lines };
}

/** The tutorial's spec with room for more. */
const SHADOW = `maxReplicas: 40
behavior: { scaleUp: { stabilizationWindowSeconds: 10 }, scaleDown: { stabilizationWindowSeconds: 10 } }
metrics:
  - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 10 } } }
`;

/** The tutorial, whose FederatedHPA has a shadow. */
function shadowed({ manifests, ...scenario }: Scenario): Scenario {
  const annotations = { "mainsheet.io/shadow": "next" };
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "next", namespace: "default" },
    data: { spec: SHADOW },
  };
  const annotated = manifests.map((one) =>
    one.kind === "FederatedHPA" ? { ...one, metadata: { ...one.metadata, annotations } } : one,
  );
  return { ...scenario, manifests: [...annotated, configMap] };
}

beforeAll(async () => {
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const { startMs } = scenario.value;
  host = await startHost({
    hub: {
      kind: "embedded",
      scenario: shadowed(scenario.value),
      startMs,
      speed: 60,
      webhooks: true,
      port: 0,
    },
    dataDir: join(folder, "data"),
    observe: () => {},
    logDecisions: "changes",
    ledgerDecisions: "all",
  });
  await host.clock.runUntil(startMs + 4 * MINUTE);
  const { lines, code, stderr } = await mainsheet("export", "default/nginx");
  expect([code, stderr]).toEqual([0, ""]);
  writeFileSync(exported, `${lines.join("\n")}\n`);
}, 3 * MINUTE);

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

const exportedLines = () =>
  readFileSync(exported, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the ledger of the tutorial", { timeout: MINUTE }, () => {
  it("history shows 1 to 5 to 10 to 1, where they ran before, and why", async () => {
    const { lines, code } = await mainsheet("history", "default/nginx");
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ["AT", "FROM", "TO", "CLUSTERS BEFORE", "OUTCOME"],
      ["2026-03-02T09:01:00Z", "1", "5", "member1 1", "applied"],
      ["2026-03-02T09:01:15Z", "5", "10", "member1 3, member2 2", "applied"],
      ["2026-03-02T09:02:00Z", "10", "1", "member1 5, member2 5", "applied"],
    ]);
    expect(lines[1]).toMatch(/ {2}cpu 100% of 10% → 10; limited to 5 \(ScaleUpLimit\)$/);
    expect(code).toBe(0);
  });

  it("history --json --since --limit are the newest of a span", async () => {
    const { lines } = await mainsheet(
      "history",
      "default/nginx",
      "--since",
      "170s",
      "--limit",
      "1",
      "--json",
    );
    expect(JSON.parse(lines.join(""))).toMatchObject([
      {
        hub: "local",
        at: "2026-03-02T09:02:00Z",
        from: 10,
        to: 1,
        clustersBefore: { member1: 5, member2: 5 },
      },
    ]);
  });

  it("why at an instant gives the account of the decision in force then", async () => {
    const { lines, code } = await mainsheet("why", "default/nginx", "--at", "2026-03-02T09:01:20Z");
    expect(lines[0]).toBe("FederatedHPA default/nginx, generation 1, at 2026-03-02T09:01:15Z");
    expect(lines[1]).toMatch(/^outcome {5}scale 5 → 10: cpu resource utilization/);
    expect(lines).toContainEqual(expect.stringMatching(/^clusters {4}member1: 3 of 3 replicas, 3 pods/));
    expect(lines).toContain("result      scaled");
    expect(lines).toContainEqual(
      expect.stringMatching(/^record {6}default\/nginx@2026-03-02T09:01:15Z, decided by version \d/),
    );
    expect(code).toBe(0);
  });

  it("export has each scale and decision, without labels and annotations that decide nothing", async () => {
    const kinds = exportedLines().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "scale")).toHaveLength(3);
    // One for each slot from 09:00:00 to 09:04:00.
    expect(kinds.filter((kind) => kind === "decision")).toHaveLength(17);
    expect(kinds.filter((kind) => kind === "shadow")).toHaveLength(17);
    expect(readFileSync(exported, "utf8")).not.toContain("pod-template-hash");
  });

  it("replay of every record of the run: the same bytes, from the file and from the table", async () => {
    const decisions = exportedLines().filter(({ kind }) => kind === "decision" || kind === "shadow").length;
    const fromFile = await finished(start("replay", exported));
    expect(fromFile).toEqual({ lines: [`${decisions} decisions: same bytes`], code: 0, stderr: "" });
    const fromTable = await mainsheet("replay", "default/nginx@2026-03-02T09:01:15Z");
    expect(fromTable).toEqual({ lines: ["1 decision: same bytes"], code: 0, stderr: "" });
  });

  it("history --shadow and why --shadow tell what the other spec wanted, which was never applied", async () => {
    const { lines, code } = await mainsheet("history", "default/nginx", "--shadow");
    expect(code).toBe(0);
    const rows = lines.map((line) => line.split(/ {2,}/).slice(0, 5));
    expect(rows[0]).toEqual(["AT", "RUNS", "REAL", "SHADOW", "BY"]);
    expect(rows).toContainEqual(["2026-03-02T09:01:30Z", "10", "10", "20", "next"]);
    expect(lines.at(-1)).toMatch(/^of 17 on record the shadow wanted more in [1-9], fewer in 0$/);
    const why = await mainsheet("why", "default/nginx", "--shadow", "--at", "2026-03-02T09:01:40Z");
    expect(why.lines[0]).toContain("at 2026-03-02T09:01:30Z");
    expect(why.lines).toContain("shadow      by ConfigMap next, never applied");
  });

  it("simulate agrees with the run over HTTP: the same scales at the same slots, in the same places", async () => {
    const real = exportedLines().filter(({ kind }) => kind === "scale");
    const tutorial = "infra/local/scenarios/tutorial.yaml";
    const { lines, code } = await finished(start("simulate", "-f", tutorial, "--for", "4m", "--json"));
    const [run] = (JSON.parse(lines.join("")) as SimulationReport).runs;
    const decided = exportedLines().filter(({ result }) => result === "scaled") as { decision: Decision }[];
    const before = decided.map(({ decision }) =>
      run.clusters.map(
        (name) => decision.trace.clusters.find(({ cluster }) => cluster === name)?.specReplicas ?? 0,
      ),
    );
    expect(real).toHaveLength(3);
    expect(run.objects[0]?.scales.map(({ atMs, from, to, reason }) => ({ atMs, from, to, reason }))).toEqual(
      real.map(({ atMs, from, to, reason }) => ({ atMs, from, to, reason })),
    );
    expect(run.objects[0]?.scales.map(({ clustersBefore }) => clustersBefore)).toEqual(before);
    expect(code).toBe(0);
  });

  it("simulate --from-history bears what was recorded, from a file and from the table", async () => {
    const args = ["simulate", "-f", "infra/local/scenarios/tutorial.yaml", "--json", "--from-history"];
    const fromFile = await finished(start(...args, exported));
    const fromTable = await mainsheet(...args, "default/nginx");
    const [file, table] = [fromFile, fromTable].map(
      ({ lines }) => (JSON.parse(lines.join("")) as SimulationReport).runs[0],
    );
    expect(table?.objects).toEqual(file?.objects);
    expect(file).toMatchObject({ fromMs: Date.parse("2026-03-02T09:00:00Z"), slots: 17 });
    // One pod at its limit of 25m, then five, then ten, each when it is measured: what they used is what is known.
    expect(file?.objects[0]?.demand[0]?.values.slice(3, 9)).toEqual([0, 0.025, 0.025, 0.125, 0.25, 0]);
  });

  it("replay of a decision that is another now shows where, and by which versions, exit 1", async () => {
    const line = readFileSync(exported, "utf8")
      .split("\n")
      .find((text) => text.includes('"result":"scaled"'));
    const record = JSON.parse(line ?? "") as { code: string; decision: { desiredReplicas: number } };
    record.code = "0.0.1";
    record.decision.desiredReplicas = 4;
    const path = join(folder, "other.json");
    writeFileSync(path, JSON.stringify(record, undefined, 2));
    const { lines, code, stderr } = await finished(start("replay", path));
    expect(lines[0]).toMatch(/^default\/nginx@2026-03-02T09:01:00Z differs first at \$\.desiredReplicas$/);
    expect(lines.slice(1)).toEqual([
      "  recorded by version 0.0.1: 4",
      expect.stringMatching(/^ {2}decided by version \d+\.\d+\.\d+: 5$/),
    ]);
    expect([code, stderr]).toEqual([1, ""]);
  });

  it("a decision's line is a saved snapshot, which explain reads", async () => {
    const line = exportedLines().findLast(({ kind }) => kind === "decision");
    const path = join(folder, "one.json");
    writeFileSync(path, JSON.stringify(line));
    const { lines, code } = await finished(start("explain", "--snapshot", path));
    expect(lines[0]).toMatch(/^FederatedHPA default\/nginx, generation 1, at /);
    expect(code).toBe(0);
  });

  it.each<[string, string[], number, RegExp]>([
    [
      "an unknown object",
      ["history", "default/nobody"],
      1,
      /^mainsheet: nothing is on record of default\/nobody on /,
    ],
    [
      "a time before the first record",
      ["why", "default/nginx", "--at", "2026-03-01T00:00:00Z"],
      1,
      /^mainsheet: no decision of default\/nginx is on record at or before 2026-03-01T00:00:00Z/,
    ],
    [
      "a record that is not there",
      ["replay", "default/nginx@2026-03-01T00:00:00Z"],
      1,
      /is on record; mainsheet export/,
    ],
    ["a name that is none", ["why", "nginx"], 2, /Allowed is NAMESPACE\/NAME/],
    ["a time that is none", ["why", "default/nginx", "--at", "noon"], 2, /RFC 3339/],
    ["a limit that is none", ["history", "default/nginx", "--limit", "0"], 2, /whole numbers from 1/],
    ["a file that is not there", ["replay", "no-such-file"], 2, /no-such-file cannot be read \(ENOENT\)/],
    [
      "a file that is no record",
      ["replay", "package.json"],
      2,
      /^mainsheet: package\.json: it is no record of a decision/,
    ],
  ])("refuses %s with one sentence", async (_case, args, exit, sentence) => {
    const { code, stderr, lines } = await mainsheet(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, lines]).toEqual([exit, []]);
  });

  it("says so of a record of a newer version, exit 2", async () => {
    const path = join(folder, "newer.json");
    writeFileSync(path, JSON.stringify({ v: 2, kind: "decision" }));
    const { code, stderr } = await finished(start("replay", path));
    expect(stderr).toMatch(
      /newer\.json: its version v is 2, this version of Mainsheet reads 1; use the version/,
    );
    expect(code).toBe(2);
  });
});
