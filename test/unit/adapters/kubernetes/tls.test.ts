import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hubFrom, json, pods } from "./stub-server.ts";

const pem = (file: string) => readFileSync(new URL(`./tls/${file}`, import.meta.url));
const base64 = (file: string) => pem(file).toString("base64");

let handshakes = 0;
const server = createServer(
  {
    key: pem("server.key"),
    cert: pem("server.crt"),
    ca: pem("ca.crt"),
    requestCert: true,
    rejectUnauthorized: false,
  },
  (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    json(response, 200, { metadata: { resourceVersion: subject?.CN ?? "nobody" }, items: [] });
  },
);
server.on("secureConnection", () => {
  handshakes += 1;
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The certificate is made out to hub.example, not to the address. */
function kubeconfig(cluster: object, user: object = {}): string {
  const { port } = server.address() as AddressInfo;
  return JSON.stringify({
    "current-context": "fleet",
    contexts: [{ name: "fleet", context: { cluster: "hub", user: "me" } }],
    clusters: [{ name: "hub", cluster: { server: `https://127.0.0.1:${port}`, ...cluster } }],
    users: [{ name: "me", user }],
  });
}
const trusted = { "certificate-authority-data": base64("ca.crt"), "tls-server-name": "hub.example" };

describe("TLS from the kubeconfig", () => {
  it("shows the client certificate and keeps its connections (B101)", async () => {
    const user = { "client-certificate-data": base64("client.crt"), "client-key-data": base64("client.key") };
    const hub = hubFrom(kubeconfig(trusted, user));
    handshakes = 0;
    for (let i = 0; i < 20; i++) expect((await hub.list("hub", pods)).resourceVersion).toBe("client");
    expect(handshakes).toBe(1);
  });

  it.each([
    ["an authority that is not known", { "tls-server-name": "hub.example" }],
    ["a name that is another's", { "certificate-authority-data": base64("ca.crt") }],
  ])("%s is not trusted, and the fault says where to look", async (_case, cluster) => {
    await expect(hubFrom(kubeconfig(cluster)).list("hub", pods)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(
        /^list pods in the hub: the server's certificate is not trusted \([A-Z_]+\); check certificate-authority-data/,
      ),
    });
  });

  it("insecure-skip-tls-verify trusts anyone", async () => {
    const hub = hubFrom(kubeconfig({ "insecure-skip-tls-verify": true }));
    expect((await hub.list("hub", pods)).resourceVersion).toBe("nobody");
  });
});
