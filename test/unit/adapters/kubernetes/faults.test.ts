import { describe, expect, it } from "vitest";
import { deployments, failure, hubAt, json, pods, stub } from "./stub-server.ts";

const eu1 = { member: "eu-1" };
const shop = { namespace: "shop" };

describe("what an answer means", () => {
  it.each([
    [400, "invalid"],
    [401, "denied"],
    [403, "denied"],
    [404, "missing"],
    [405, "invalid"],
    [408, "unavailable"],
    [409, "conflict"],
    [410, "missing"],
    [413, "invalid"],
    [415, "invalid"],
    [422, "invalid"],
    [429, "throttled"],
    [500, "unavailable"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unavailable"],
    [302, "unavailable"],
  ])("%i is %s, and is asked once", async (status, kind) => {
    const server = await stub((_, response) => json(response, status, failure(status, "so it is")));
    await expect(hubAt(server.url).get("hub", deployments, { ...shop, name: "web" })).rejects.toMatchObject({
      name: "PortFault",
      kind,
      message: expect.stringContaining(`get deployments.apps shop/web in the hub: ${status}`),
    });
    expect(server.received).toHaveLength(1);
  });
});

describe("what is missing behind a 403 (B59, serverless 5.3)", () => {
  it.each([
    [
      "a right in the member",
      failure(403, 'pods is forbidden: User "mainsheet" cannot list resource "pods"'),
      'list pods shop in cluster eu-1: 403 forbidden: pods is forbidden: User "mainsheet" cannot list resource "pods"; grant list on pods',
    ],
    [
      "the proxy itself",
      failure(403, 'clusters.cluster.karmada.io "eu-1" is forbidden', { group: "cluster.karmada.io" }),
      'list pods shop in cluster eu-1: 403 forbidden: clusters.cluster.karmada.io "eu-1" is forbidden; grant * on clusters.cluster.karmada.io/proxy eu-1 in the hub',
    ],
    [
      "impersonation",
      failure(
        403,
        'User "system:serviceaccount:karmada-cluster:karmada-impersonator" cannot impersonate resource "groups"',
      ),
      'list pods shop in cluster eu-1: 403 forbidden: User "system:serviceaccount:karmada-cluster:karmada-impersonator" cannot impersonate resource "groups"; grant impersonate on groups to karmada-impersonator in cluster eu-1',
    ],
  ])("%s", async (_case, body, message) => {
    const server = await stub((_, response) => json(response, 403, body));
    await expect(hubAt(server.url).list(eu1, pods, shop)).rejects.toMatchObject({ kind: "denied", message });
    expect(server.received[0]?.path).toBe(
      "/apis/cluster.karmada.io/v1alpha1/clusters/eu-1/proxy/api/v1/namespaces/shop/pods",
    );
  });

  it("names scale as kubectl does", async () => {
    const server = await stub((_, response) => json(response, 403, failure(403, "no")));
    await expect(
      hubAt(server.url).getScale("hub", deployments, { ...shop, name: "web" }),
    ).rejects.toMatchObject({
      message:
        "get deployments.apps/scale shop/web in the hub: 403 forbidden: no; grant get on deployments.apps/scale",
    });
  });
});

describe("Retry-After", () => {
  it.each([
    ["seconds", { "retry-after": "3" }, {}, 3000],
    ["the Status, where the header is missing", {}, { retryAfterSeconds: 7 }, 7000],
    ["nothing", {}, {}, undefined],
    ["nonsense", { "retry-after": "soon" }, {}, undefined],
  ])("from %s", async (_case, headers, details, retryAfterMs) => {
    const server = await stub((_, response) =>
      json(response, 429, failure(429, "slow down", details), headers),
    );
    await expect(hubAt(server.url).list("hub", pods)).rejects.toMatchObject({
      kind: "throttled",
      retryAfterMs,
    });
  });

  it("from an HTTP date", async () => {
    const server = await stub((_, response) =>
      json(response, 503, {}, { "retry-after": new Date(Date.now() + 60_000).toUTCString() }),
    );
    const fault = await hubAt(server.url)
      .list("hub", pods)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: "unavailable" });
    const { retryAfterMs } = fault as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(55_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

describe("an answer that is no answer is unavailable", () => {
  it.each([
    [
      "a page of a proxy in between",
      "<html>Log in</html>",
      /the answer is not JSON \(<html>Log in<\/html>\)/,
    ],
    ["cut JSON", '{"metadata":{"name":"we', /the answer is not JSON/],
    ["JSON that is no object", "[]", /not a JSON object/],
    ["an object that is none of Kubernetes", "{}", /not a Kubernetes object/],
  ])("%s", async (_case, body, message) => {
    const server = await stub((_, response) => response.end(body));
    await expect(hubAt(server.url).get("hub", deployments, { ...shop, name: "web" })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("a body that ends before its length", async () => {
    const server = await stub((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"items":[');
      setTimeout(() => response.destroy(), 10);
    });
    await expect(hubAt(server.url).list("hub", pods)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("a connection that is reset, sent once: a write may have won", async () => {
    const server = await stub((_, response) => response.socket?.resetAndDestroy());
    const scale = {
      namespace: "shop",
      name: "web",
      uid: "u",
      resourceVersion: "7",
      replicas: 5,
      statusReplicas: 4,
      selector: "",
    };
    const fault = await hubAt(server.url)
      .updateScale(deployments, scale, { fieldManager: "mainsheet" })
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(
        "update deployments.apps/scale shop/web in the hub: the connection broke",
      ),
    });
    expect(fault).toHaveProperty("cause.code");
    expect(server.received).toHaveLength(1);
  });

  it("a server that nobody runs", async () => {
    const server = await stub(() => undefined);
    const gone = server.url.replace(/\d+$/, "1");
    await expect(hubAt(gone).list("hub", pods)).rejects.toMatchObject({
      kind: "unavailable",
      message:
        "list pods in the hub: nothing listens at the server's address; check server in the kubeconfig (ECONNREFUSED)",
    });
  });
});

describe("names that would read another path", () => {
  it.each(["", ".", ".."])("%j is invalid and is not sent", async (name) => {
    const server = await stub((_, response) => json(response, 200, { metadata: {} }));
    const hub = hubAt(server.url);
    await expect((async () => hub.get("hub", deployments, { ...shop, name }))()).rejects.toMatchObject({
      kind: "invalid",
    });
    expect(server.received).toEqual([]);
  });

  it("a slash stays inside the name", async () => {
    const server = await stub((request, response) => json(response, 404, failure(404, request.path)));
    await hubAt(server.url)
      .get("hub", deployments, { ...shop, name: "../../secrets/x" })
      .catch(() => undefined);
    expect(server.received[0]?.path).toBe("/apis/apps/v1/namespaces/shop/deployments/..%2F..%2Fsecrets%2Fx");
  });
});
