import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { kubeconfigPath, openHub } from "#infra/cli/hub-connection";

const folder = mkdtempSync(join(tmpdir(), "mainsheet-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text = ""): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("where the kubeconfig is, as for kubectl", () => {
  const one = file("one");
  const two = file("two");
  const gone = join(folder, "gone");

  it.each<[string, string | undefined, string | undefined, string]>([
    ["the one named", "/named", one, "/named"],
    ["else $KUBECONFIG", undefined, one, one],
    ["of its list the file that exists", undefined, [gone, two].join(delimiter), two],
    ["of a list of none the first, for the message", undefined, gone, gone],
    ["else ~/.kube/config", undefined, undefined, join(homedir(), ".kube", "config")],
    ["also for an empty $KUBECONFIG", undefined, "", join(homedir(), ".kube", "config")],
  ])("%s", (_, named, listed, path) => {
    expect(kubeconfigPath(named, listed === undefined ? {} : { KUBECONFIG: listed })).toBe(path);
  });

  it("several files are not merged: one has to be named", () => {
    const env = { KUBECONFIG: [one, two].join(delimiter) };
    expect(() => kubeconfigPath(undefined, env)).toThrow(
      /names several files; say which one with --kubeconfig/,
    );
  });
});

describe("a hub", () => {
  const config = file(
    "kubeconfig",
    JSON.stringify({
      "current-context": "hub",
      contexts: [{ name: "hub", context: { cluster: "hub", user: "hub" } }],
      clusters: [{ name: "hub", cluster: { server: "http://127.0.0.1:1" } }],
      users: [{ name: "hub", user: {} }],
    }),
  );

  it("is opened without asking it anything", async () => {
    await (await openHub(config, undefined)).close();
  });

  it.each<[string, string, string | undefined, RegExp]>([
    [
      "a file that is not there",
      join(folder, "gone"),
      undefined,
      /^kubeconfig .*gone: cannot be read \(ENOENT/,
    ],
    ["a file that is none", file("text", "hello"), undefined, /^kubeconfig .*text: not a kubeconfig/],
    ["a context that it lacks", config, "moon", /no context moon; it has hub/],
  ])("%s is a wrong argument", async (_, path, context, sentence) => {
    await expect(openHub(path, context)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(sentence),
    });
  });
});
