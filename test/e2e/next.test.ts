import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { finished, mainsheet } from "./mainsheet.ts";

const folder = mkdtempSync(join(tmpdir(), "mainsheet-next-"));
afterAll(() => rmSync(folder, { recursive: true }));

const wrongDay = join(folder, "sunday.yaml");
writeFileSync(
  wrongDay,
  `apiVersion: autoscaling.karmada.io/v1alpha1
kind: CronFederatedHPA
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  rules: [{ name: sunday, schedule: "0 8 * * 7", targetReplicas: 3 }, { name: sunday, schedule: "0 8 * * 8", targetReplicas: 1 }]
`,
);

const next = async (...args: string[]) => {
  const { lines, code, stderr } = await finished(mainsheet("next", ...args));
  return { lines, code, stderr };
};

describe("mainsheet next", { timeout: 60_000 }, () => {
  it("prints the example's runs of a day in time order, exit 0", async () => {
    const { lines, code, stderr } = await next(
      "-f",
      "docs/examples/cron.yaml",
      "--from",
      "2026-03-02T00:00:00Z",
      "--count",
      "4",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines.slice(1)).toEqual([
      "2026-03-02T00:30:00Z  2026-03-02T08:30:00+08:00  Asia/Shanghai  default/office-hours    morning  min 10, max 100",
      "2026-03-02T07:00:00Z  2026-03-02T07:00:00+00:00  UTC            default/reports-by-day  on       replicas 4",
      "2026-03-02T12:00:00Z  2026-03-02T20:00:00+08:00  Asia/Shanghai  default/office-hours    evening  min 2, max 20",
      "2026-03-02T22:00:00Z  2026-03-02T22:00:00+00:00  UTC            default/reports-by-day  off      replicas 0",
    ]);
  });

  it("says the same in JSON for programs", async () => {
    const { lines, code } = await next(
      "-f",
      "docs/examples/cron.yaml",
      "--from",
      "2026-03-02T00:00:00Z",
      "--count",
      "1",
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(lines.join("\n"))).toEqual({
      from: "2026-03-02T00:00:00Z",
      entries: [
        {
          kind: "run",
          at: "2026-03-02T00:30:00Z",
          local: "2026-03-02T08:30:00+08:00",
          zone: "Asia/Shanghai",
          object: "default/office-hours",
          rule: "morning",
          sets: { minReplicas: 10, maxReplicas: 100 },
        },
      ],
      suspended: [],
    });
  });

  it.each([
    [
      "rules that a hub would refuse, exit 1",
      ["-f", wrongDay],
      1,
      /^mainsheet: \S+sunday\.yaml: CronFederatedHPA default\/web: spec\.rules\[0\]\.schedule: .* write 0-6 .* \(and 2 more; see mainsheet validate\)\n$/,
    ],
    [
      "a file without a CronFederatedHPA, exit 2",
      ["-f", "docs/examples/behavior.yaml"],
      2,
      /^mainsheet: there is no CronFederatedHPA; name a file that holds one\n$/,
    ],
    [
      "a count that is none, exit 2",
      ["-f", wrongDay, "--count", "many"],
      2,
      /^error: .*whole numbers from 1 to 1000\.\n$/,
    ],
  ])("%s, in one sentence", async (_, args, code, sentence) => {
    const ended = await next(...args);
    expect([ended.code, ended.lines]).toEqual([code, []]);
    expect(ended.stderr).toMatch(sentence);
  });
});
