import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "#test/e2e/mainsheet";

const folder = mkdtempSync(join(tmpdir(), "cdk-app-"));
afterAll(() => rmSync(folder, { recursive: true }));

const APP = `
import { App, Stack } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Mainsheet } from "mainsheet/cdk";
import type { HubProps } from "mainsheet/cdk/props";

const app = new App({ outdir: "out" });
const stack = new Stack(app, "platform");
const hubs: HubProps[] = [{ name: "eu", kubeconfig: { secret: new Secret(stack, "Kubeconfig") } }];
const mainsheet = new Mainsheet(stack, "Autoscaler", { hubs });
console.log(Object.keys(mainsheet.workers).join());
app.synth();
`;

describe("a CDK app of somebody's own", () => {
  it("takes the construct from the package, which builds the functions itself", async () => {
    mkdirSync(join(folder, "node_modules"));
    for (const name of ["aws-cdk-lib", "constructs"]) {
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
    symlinkSync(ROOT, join(folder, "node_modules", "mainsheet"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "app.ts"), APP);
    const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [tsx, "app.ts"], { cwd: folder });
    expect(stdout.trim().split(",")).toContain("reconcile");
    const template = JSON.parse(readFileSync(join(folder, "out/platform.template.json"), "utf8"));
    const types = Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type);
    expect(types).toEqual(expect.arrayContaining(["AWS::Lambda::Function", "AWS::CloudWatch::Dashboard"]));
  }, 120_000);
});
