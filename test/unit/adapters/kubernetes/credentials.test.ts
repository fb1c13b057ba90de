import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failure, hubAt, hubFrom, json, kubeconfig, pods, type Respond, stub } from "./stub-server.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Lets in who carries this token. */
function guarded(token: () => string): Respond {
  return ({ headers }, response) => {
    if (headers.authorization === `Bearer ${token()}`) json(response, 200, { metadata: {}, items: [] });
    else json(response, 401, failure(401, "Unauthorized"));
  };
}

describe("a 401 reads the credentials again, once (B103, serverless 5.1)", () => {
  it("a rotated secret is read and the request sent again", async () => {
    const server = await stub(guarded(() => "new"));
    const secrets = ["old", "new"];
    let reads = 0;
    const hub = hubFrom(async () => kubeconfig(server.url, { token: secrets[reads++] }));
    await hub.list("hub", pods);
    await hub.list("hub", pods);
    expect(reads).toBe(2);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
      "Bearer new",
    ]);
    expect(server.sockets()).toBe(1);
  });

  it("many refused at one time share one reading", async () => {
    const server = await stub(guarded(() => "new"));
    let reads = 0;
    const hub = hubFrom(async () => {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return kubeconfig(server.url, { token: reads === 1 ? "old" : "new" });
    });
    await Promise.all(Array.from({ length: 20 }, () => hub.list("hub", pods)));
    expect(reads).toBe(2);
    expect(server.received.length).toBeLessThanOrEqual(26);
  });

  it("a refusal that arrives after the renewal takes what the renewal brought", async () => {
    const server = await stub(({ headers, path }, response) => {
      if (headers.authorization === "Bearer new") json(response, 200, { items: [] });
      else
        setTimeout(() => json(response, 401, failure(401, "Unauthorized")), path.includes("slow") ? 80 : 0);
    });
    let reads = 0;
    const hub = hubFrom(async () => kubeconfig(server.url, { token: reads++ === 0 ? "old" : "new" }));
    const lists = ["slow", "quick"].map((namespace) => hub.list("hub", pods, { namespace }));
    expect((await Promise.all(lists)).map(({ items }) => items)).toEqual([[], []]);
    expect(reads).toBe(2);
  });

  it("a secret that is refused again is denied, with what to do", async () => {
    const server = await stub(guarded(() => "never"));
    let reads = 0;
    const hub = hubFrom(async () => kubeconfig(server.url, { token: `t${reads++}` }));
    await expect(hub.list("hub", pods)).rejects.toMatchObject({
      kind: "denied",
      message:
        "list pods in the hub: 401 unauthorized: Unauthorized; renew the credentials in the kubeconfig",
    });
    expect(server.received).toHaveLength(2);
    await expect(hub.list("hub", pods)).rejects.toMatchObject({ kind: "denied" });
    expect(reads).toBe(2);
  });

  it("a secret that has not changed is not sent again", async () => {
    const server = await stub(guarded(() => "other"));
    await expect(hubAt(server.url, {}, { token: "same" }).list("hub", pods)).rejects.toMatchObject({
      kind: "denied",
    });
    expect(server.received).toHaveLength(1);
  });

  it("a write refused with 401 had no effect, so it is sent again", async () => {
    const server = await stub(({ headers, body }, response) => {
      if (headers.authorization === "Bearer new") json(response, 201, JSON.parse(body));
      else json(response, 401, failure(401, "Unauthorized"));
    });
    let reads = 0;
    const hub = hubFrom(async () => kubeconfig(server.url, { token: reads++ === 0 ? "old" : "new" }));
    const made = await hub.create(
      pods,
      { metadata: { namespace: "shop", name: "a" } },
      { fieldManager: "m" },
    );
    expect(made.metadata.name).toBe("a");
  });
});

describe("where credentials come from", () => {
  it("a token file beside the kubeconfig, its line break dropped, read again after a 401", async () => {
    let valid = "first";
    const server = await stub(guarded(() => valid));
    await writeFile(join(folder, "token"), "first\n");
    await writeFile(join(folder, "config"), kubeconfig(server.url, { tokenFile: "token" }));
    const hub = hubFrom(join(folder, "config"));
    await hub.list("hub", pods);
    valid = "second";
    await writeFile(join(folder, "token"), "second\n");
    await hub.list("hub", pods);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first",
      "Bearer first",
      "Bearer second",
    ]);
  });

  it("a credential plugin (exec), run again after a 401", async () => {
    const server = await stub(guarded(() => "run-2"));
    const script = `
      const fs = require("node:fs");
      const runs = fs.existsSync(process.argv[1]) ? 2 : 1;
      fs.writeFileSync(process.argv[1], "");
      console.log(JSON.stringify({ kind: "ExecCredential", status: { token: "run-" + runs } }));`;
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", script, join(folder, "ran")],
    };
    const hub = hubAt(server.url, {}, { exec });
    await hub.list("hub", pods);
    await hub.list("hub", pods);
    expect(server.received).toHaveLength(3);
  });

  it.each([
    ["a password", { username: "me", password: "pw" }, "Basic bWU6cHc="],
    ["nothing", {}, undefined],
  ])("%s", async (_case, user, authorization) => {
    const server = await stub((_, response) => json(response, 200, { items: [] }));
    await hubAt(server.url, {}, user).list("hub", pods);
    expect(server.received[0]?.headers.authorization).toBe(authorization);
  });

  it("a context without a user asks as nobody", async () => {
    const server = await stub((_, response) => json(response, 200, { items: [] }));
    const text = kubeconfig(server.url).replace(',"user":"me"', "");
    expect((await hubFrom(text).list("hub", pods)).items).toEqual([]);
  });

  it("the server's path prefix is kept", async () => {
    const server = await stub((_, response) => json(response, 200, { items: [] }));
    await hubAt(`${server.url}/k8s/clusters/c-1/`).list("hub", pods);
    expect(server.received[0]?.path).toBe("/k8s/clusters/c-1/api/v1/pods");
  });
});

describe("a kubeconfig that cannot be used says where and why", () => {
  it.each([
    ["no such file", "/nowhere/config", /^kubeconfig \/nowhere\/config: cannot be read \(ENOENT/],
    ["not YAML", "a: [\n", /^kubeconfig: not a kubeconfig: /],
    ["a list", "- a\n- b\n", /^kubeconfig: not a kubeconfig: it holds no mapping/],
    ["no context", "clusters: []\nusers: []\n", /^kubeconfig: no current-context; it has none/],
    [
      "an unknown cluster",
      "current-context: a\ncontexts: [{name: a, context: {cluster: b}}]\n",
      /^kubeconfig: context a names cluster b, which it lacks/,
    ],
    [
      "an unknown user",
      "current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: [{name: b, cluster: {server: 'http://127.0.0.1:1'}}]\n",
      /^kubeconfig: context a names user c, which it lacks/,
    ],
    [
      "a SOCKS proxy",
      "current-context: a\ncontexts: [{name: a, context: {cluster: b}}]\nclusters: [{name: b, cluster: {server: 'http://127.0.0.1:1', proxy-url: 'socks5://127.0.0.1:1'}}]\n",
      /^kubeconfig: proxy-url socks5:\/\/127\.0\.0\.1:1 is not supported; use an HTTP proxy/,
    ],
  ])("%s", async (_case, source, message) => {
    await expect(hubFrom(source).list("hub", pods)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(message),
    });
  });

  it("a secret store that fails is unavailable", async () => {
    const hub = hubFrom(async () => {
      throw new Error("AccessDeniedException");
    });
    await expect(hub.list("hub", pods)).rejects.toMatchObject({
      kind: "unavailable",
      message: "kubeconfig: its secret cannot be read: AccessDeniedException",
    });
  });

  it("a plugin that fails is denied", async () => {
    const exec = { command: process.execPath, args: ["-e", "console.error('no session'); process.exit(1)"] };
    await expect(hubAt("http://127.0.0.1:1", {}, { exec }).list("hub", pods)).rejects.toMatchObject({
      kind: "denied",
      message: expect.stringMatching(/^kubeconfig: its credentials cannot be read: no session/),
    });
  });
});
