import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Judge } from "./judge.ts";
import { judgeDirectory, reportOn } from "./vector-files.ts";

const right = { id: "q-1", in: { string: "1500m" }, out: okay("1500", "2", "1500m") };
const wrong = { id: "q-2", in: { string: "1500m" }, out: okay("1", "1", "1m") };

function okay(milliValue: string, value: string, canonical: string) {
  return { ok: true, milliValue, value, canonical, sign: 1 };
}

function directoryWith(files: Readonly<Record<string, string | Buffer>>): string {
  const directory = mkdtempSync(join(tmpdir(), "golden-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

const lines = (...cases: readonly object[]) => cases.map((vector) => `${JSON.stringify(vector)}\n`).join("");

function golden(...args: readonly string[]) {
  const program = fileURLToPath(new URL("run.ts", import.meta.url));
  return spawnSync(process.execPath, ["--import", "tsx", program, ...args], { encoding: "utf8" });
}

async function judged(directory: string) {
  const reports = [];
  for await (const report of judgeDirectory(directory)) reports.push(report);
  return reports;
}

describe("golden", () => {
  it("prints one JSON line per known file, passes over the others, and exits 1 when a case fails", () => {
    const directory = directoryWith({
      "quantity.jsonl": lines(right, wrong),
      "unknown-kind.jsonl": lines(right),
      "notes.txt": "no vectors",
    });
    const { status, stdout, stderr } = golden("--dir", directory);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { file: "quantity.jsonl", cases: 2, passed: 1, byLedger: {}, skippedSteps: 0, failed: ["q-2"] },
    ]);
    expect(stderr).toContain("q-2: expected");
    expect(status).toBe(1);
  });

  it("exits 2 with the usage in one line for flags it does not know", () => {
    const { status, stdout, stderr } = golden("--folder", "x");
    expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({
      status: 2,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toContain("npm run golden -- [--dir DIRECTORY]");
  });

  it("reads gzipped files too", async () => {
    const directory = directoryWith({ "quantity.jsonl.gz": gzipSync(lines(right)) });
    expect(await judged(directory)).toMatchObject([{ file: "quantity.jsonl.gz", cases: 1, passed: 1 }]);
  });

  it.each([
    ["a folder without vectors", { "notes.txt": "" }, /holds no known vector file/],
    ["a line that is not JSON", { "quantity.jsonl": "{\n" }, /quantity\.jsonl:1 is not JSON/],
    ["a line that is no case", { "quantity.jsonl": `${lines(right)}[]\n` }, /quantity\.jsonl:2 is no case/],
    ["a file cut off", { "quantity.jsonl.gz": gzipSync(lines(right)).subarray(0, 20) }, /cannot be read/],
  ])("refuses %s in one sentence", async (_, files, sentence) => {
    await expect(judged(directoryWith(files))).rejects.toThrow(sentence);
  });

  it("counts every entry that a case needs, and the steps it left out", async () => {
    const judge: Judge = ({ id }) =>
      id === "a" ? { ledger: ["D-03", "D-01"], skippedSteps: 4 } : { ledger: "D-01", skippedSteps: 1 };
    const cases = ["a", "b"].map((id) => ({ id, in: {}, out: {} }));
    expect(await reportOn("f.jsonl", cases, judge)).toMatchObject({
      passed: 2,
      byLedger: { "D-01": 2, "D-03": 1 },
      skippedSteps: 5,
    });
  });

  it("fails a case whose judge throws", async () => {
    const judge: Judge = () => {
      throw new Error("unreadable");
    };
    expect(await reportOn("f.jsonl", [{ id: "a", in: {}, out: {} }], judge)).toMatchObject({
      passed: 0,
      failed: ["a"],
    });
  });
});
