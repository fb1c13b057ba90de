import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const outputs = mkdtempSync(join(tmpdir(), "synth-"));
afterAll(() => rm(outputs, { recursive: true }));

describe("an option that is wrong fails at synth with one sentence, and no template is written", () => {
  it.each<[context: object, sentence: string]>([
    [{ hubs: [] }, "hubs: give at least one hub"],
    [
      { hubs: [{ name: "eu", kubeconfig: { sekret: "eu" } }] },
      "hubs: hub eu, kubeconfig: give { secret } or { eks: { clusterName, clusterEndpoint, clusterCertificateAuthorityData } }",
    ],
    [
      { ledgerDays: "two" },
      "the context ledgerDays is not as it should be: Invalid input: expected number, received string",
    ],
  ])("%j", (context, sentence) => {
    const { status, stderr, stdout } = spawnSync("npx", ["tsx", "infra/cloud/app.ts"], {
      env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outputs },
      encoding: "utf8",
    });
    expect({ status, stderr, stdout }).toEqual({ status: 1, stderr: `${sentence}\n`, stdout: "" });
    expect(readdirSync(outputs)).toEqual([]);
  });
});
