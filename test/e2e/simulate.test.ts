import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { finished, mainsheet } from "./mainsheet.ts";

const SECONDS = 240_000;
const TUTORIAL = "infra/local/scenarios/tutorial.yaml";
const folder = mkdtempSync(join(tmpdir(), "mainsheet-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const simulate = (...args: string[]) => finished(mainsheet("simulate", ...args));

const slower = file(
  "slower.yaml",
  `apiVersion: autoscaling.karmada.io/v1alpha1
kind: FederatedHPA
metadata: { name: nginx, namespace: default }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: nginx }
  minReplicas: 1
  maxReplicas: 10
  behavior: { scaleDown: { stabilizationWindowSeconds: 120 } }
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 10 } }
`,
);

describe("mainsheet simulate", { timeout: SECONDS }, () => {
  it("the tutorial: its figures and scales, for people", async () => {
    const { lines, code, stderr } = await simulate("-f", TUTORIAL, "--for", "5m");
    expect([code, stderr]).toEqual([0, ""]);
    expect(lines[0]).toBe(
      `${TUTORIAL} under the load given in the files, 5m from 2026-03-02T09:00:00Z, seed 1`,
    );
    expect(lines).toContain("time above target       1m");
    expect(lines).toContain("flaps                   1");
    expect(lines.slice(-3).map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ["2026-03-02T09:01:00Z", "1", "5", "member1 3, member2 2"],
      ["2026-03-02T09:01:15Z", "5", "10", "member1 5, member2 5"],
      ["2026-03-02T09:02:00Z", "10", "1", "member1 1"],
    ]);
  });

  it("a day of the tutorial's workload under a spiky load, twice: the same bytes", async () => {
    const args = ["-f", TUTORIAL, "--load", "spiky", "--for", "24h", "--seed", "7", "--json"];
    const [first, second] = await Promise.all([simulate(...args), simulate(...args)]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(second.lines).toEqual(first.lines);
    const report = JSON.parse(first.lines.join(""));
    expect(report).toMatchObject({
      v: 1,
      runs: [{ slots: 5760, seed: "7", load: "spiky", notes: [expect.any(String)] }],
    });
    expect(report.runs[0].summary.scaleEvents).toBeGreaterThan(100);
  });

  it("--compare runs the other on the same load, side by side", async () => {
    const { lines, code } = await simulate("-f", TUTORIAL, "--for", "10m", "--compare", slower);
    expect(code).toBe(0);
    const rows = lines.map((line) => line.split(/ {2,}/));
    expect(rows).toContainEqual(["FIGURE", "FIRST", "SECOND", "DIFFERENCE"]);
    expect(rows).toContainEqual(["flaps", "1", "1", "0"]);
    // Ten is left when the last recommendation of ten is 120 s old.
    expect(rows).toContainEqual(["time at maxReplicas", "45s", "2m30s", "+1m45s"]);
  });

  it("--fail-if ends with 1 when it holds, and says so; figures of the compared run are second.…", async () => {
    const holds = await simulate(
      "-f",
      TUTORIAL,
      "--for",
      "5m",
      "--fail-if",
      "flaps > 3 or timeAboveTargetSeconds > 45",
    );
    expect([holds.code, holds.stderr]).toEqual([
      1,
      "mainsheet: the condition holds: flaps > 3 or timeAboveTargetSeconds > 45\n",
    ]);
    expect(holds.lines.length).toBeGreaterThan(10);
    const args = ["-f", TUTORIAL, "--for", "10m", "--compare", slower];
    const better = await simulate(...args, "--fail-if", "second.replicaHours < replicaHours");
    expect([better.code, better.stderr]).toEqual([0, ""]);
  });

  it("a CSV of demand", async () => {
    const csv = file("traffic.csv", "time,cpu\n2026-03-02T09:00:00Z,2m\n2026-03-02T09:05:00Z,10\n");
    const { lines, code } = await simulate("-f", TUTORIAL, "--load", csv, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(lines.join("")).runs[0]).toMatchObject({
      slots: 40,
      load: csv,
      objects: [
        {
          scales: [
            { from: 1, to: 4 },
            { from: 4, to: 8 },
            { from: 8, to: 10 },
          ],
        },
      ],
    });
  });

  it.each([
    ["no file", ["-f", "no-such.yaml"], 2, /no-such\.yaml cannot be read \(ENOENT\)/],
    ["no manifest", [], 2, /required option '-f, --filename <file\.\.\.>' not specified/],
    ["no FederatedHPA", ["-f", file("empty.yaml", "")], 1, /there is no FederatedHPA among the files/],
    ["no YAML", ["-f", file("broken.yaml", "a: [")], 2, /broken\.yaml is neither YAML nor JSON/],
    ["an unknown shape", ["-f", TUTORIAL, "--load", "wavy"], 2, /Allowed are steady, ramp, step/],
    ["a negative amount", ["-f", TUTORIAL, "--load", "day,low=-1"], 2, /Allowed are steady/],
    ["low above high", ["-f", TUTORIAL, "--load", "day,low=2,high=1"], 2, /low is above high/],
    [
      "an empty load",
      ["-f", TUTORIAL, "--load", file("empty.csv", "")],
      2,
      /empty\.csv: there is no row of time and demand/,
    ],
    [
      "a load that is none",
      ["-f", TUTORIAL, "--load", file("nan.csv", "0,NaN")],
      2,
      /nan\.csv: line 1: "NaN" is no amount of demand/,
    ],
    [
      "a report in a folder that is not there",
      ["-f", TUTORIAL, "--out", "no-such-folder/report.html"],
      2,
      /--out no-such-folder\/report\.html cannot be written \(ENOENT\); choose another/,
    ],
    [
      "a report that is a folder",
      ["-f", TUTORIAL, "--out", "docs"],
      2,
      /--out docs cannot be written \(EISDIR\); choose another/,
    ],
    ["two loads", ["-f", TUTORIAL, "--load", "day", "--from-history", TUTORIAL], 2, /exclude each other/],
    [
      "a history that is none",
      ["-f", TUTORIAL, "--from-history", "package.json"],
      2,
      /package\.json: it is no record/,
    ],
    [
      "a place without a history",
      ["-f", TUTORIAL, "--endpoint", "http://127.0.0.1:1"],
      2,
      /go with --from-history/,
    ],
    [
      "a condition that is none",
      ["-f", TUTORIAL, "--fail-if", "flips > 3"],
      2,
      /flips is no figure; there are/,
    ],
    [
      "a figure of a run that is not",
      ["-f", TUTORIAL, "--fail-if", "second.flaps > 3"],
      2,
      /second\.flaps is no figure/,
    ],
    ["a span that is none", ["-f", TUTORIAL, "--for", "soon"], 2, /Allowed are durations/],
    ["a span of weeks", ["-f", TUTORIAL, "--for", "1000h"], 1, /longer than 35 days/],
    [
      "a setting that is none",
      ["-f", TUTORIAL, "--controller", "speed=3"],
      2,
      /--controller speed is no setting; there are tolerance, /,
    ],
    [
      "a setting's value that is none",
      ["-f", TUTORIAL, "--controller", "tolerance=2"],
      2,
      /--controller tolerance is 2; allowed: a number from 0 to below 1/,
    ],
    [
      "a setting without a value",
      ["-f", TUTORIAL, "--controller", "tolerance"],
      2,
      /write it as tolerance=0\.05/,
    ],
    ["a start that is none", ["-f", TUTORIAL, "--start", "noon"], 2, /RFC 3339/],
  ])("refuses %s with one sentence", async (_case, args, exit, sentence) => {
    const { code, stderr, lines } = await simulate(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, lines]).toEqual([exit, []]);
  });

  it("writes nothing where it refuses", () => {
    expect(existsSync(join(folder, "report.html"))).toBe(false);
  });
});
