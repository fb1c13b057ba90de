import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFunctions } from "#infra/bundle";

const FIXTURE = fileURLToPath(new URL("fixture", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bundles-"));
  await bundleFunctions(folder, ["exec", "seldom", "throwing"], FIXTURE);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** What a fresh process makes of an event: its answer, or the stack of what was thrown. */
async function outcome(name: string, event: string): Promise<unknown> {
  const url = pathToFileURL(join(folder, name, "index.mjs")).href;
  const script = `import(${JSON.stringify(url)})
    .then(({ handler }) => handler(process.argv[1]))
    .catch(({ stack }) => stack)
    .then((value) => console.log(JSON.stringify(value)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, event]);
  return JSON.parse(stdout);
}

describe("a stack names places in the source, though nothing is read before there is one (decision 0004)", () => {
  it("from the map beside the bundle", async () => {
    const [first, ...frames] = String(await outcome("throwing", "luck")).split("\n");
    expect(first).toBe("TypeError: no luck");
    expect(frames[0]).toMatch(/test\/infra\/bundles\/fixture\/throwing\/handler\.ts:7:9\)$/);
    expect(frames[1]).toMatch(/test\/infra\/bundles\/fixture\/throwing\/handler\.ts:3:10\)$/);
  });

  it("without a map it is the stack of the bundle", async () => {
    const map = join(folder, "throwing", "index.mjs.map");
    renameSync(map, `${map}.away`);
    expect(await outcome("throwing", "map")).toMatch(
      /^TypeError: no map\n {4}at .*throwing\/index\.mjs:\d+:\d+/,
    );
    renameSync(`${map}.away`, map);
  });
});

describe("what is seldom needed (decision 0004)", () => {
  it("lies beside the function, with a name that is always the same, and is loaded when it is", async () => {
    expect(readdirSync(join(folder, "seldom")).filter((file) => file.endsWith(".mjs"))).toEqual([
      "index.mjs",
      "seldom-rare.mjs",
    ]);
    expect(readFileSync(join(folder, "seldom", "index.mjs"), "utf8")).not.toContain("rare as it is");
    expect(await outcome("seldom", "often")).toBe("common");
    expect(await outcome("seldom", "seldom")).toBe("rare as it is");
  });
});

describe("what a bundle replaces still does what a kubeconfig asks for", () => {
  const kubeconfig = (user: object) =>
    JSON.stringify({
      "current-context": "fleet",
      contexts: [{ name: "fleet", context: { cluster: "hub", user: "me" } }],
      clusters: [{ name: "hub", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "me", user }],
    });

  it("a credential plugin is started", async () => {
    const credential = {
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { token: "made" },
    };
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", `console.log(${JSON.stringify(JSON.stringify(credential))})`],
    };
    expect(await outcome("exec", kubeconfig({ exec }))).toMatchObject({ authorization: "Bearer made" });
  });

  it("an auth-provider that kubectl no longer has is refused, with what to use", async () => {
    const config = {
      "cmd-path": process.execPath,
      "cmd-args": `-p '"{}"'`,
      "token-key": "{.a}",
      "expiry-key": "{.b}",
    };
    expect(await outcome("exec", kubeconfig({ "auth-provider": { name: "gcp", config } }))).toMatch(
      /auth-provider gcp and azure ended with kubectl 1\.26; use gke-gcloud-auth-plugin or kubelogin/,
    );
  });
});
