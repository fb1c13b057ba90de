import { describe, expect, it } from "vitest";
import { deployments, hubAt, json, stub } from "./stub-server.ts";

const web = { namespace: "shop", name: "web" };
const by = { fieldManager: "mainsheet" };
const scale = {
  ...web,
  uid: "u-1",
  resourceVersion: "7",
  replicas: 0,
  statusReplicas: 3,
  selector: "app=web",
};
const answer = { metadata: { ...web, uid: "u-1", resourceVersion: "8" }, spec: {}, status: { replicas: 3 } };

describe("scale on the wire", () => {
  it("the PUT carries the count also at 0, and the version as precondition (B61)", async () => {
    const server = await stub((_, response) => json(response, 200, answer));
    const written = await hubAt(server.url).updateScale(deployments, scale, by);
    expect(server.received).toMatchObject([
      { method: "PUT", path: "/apis/apps/v1/namespaces/shop/deployments/web/scale" },
    ]);
    expect(server.received[0]?.query.toString()).toBe("fieldManager=mainsheet");
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { ...web, uid: "u-1", resourceVersion: "7" },
      spec: { replicas: 0 },
    });
    expect(written).toMatchObject({ resourceVersion: "8", replicas: 0 });
  });

  it("a scale without spec.replicas reads as 0 (B61)", async () => {
    const server = await stub((_, response) =>
      json(response, 200, { ...answer, status: { selector: "app=web" } }),
    );
    expect(await hubAt(server.url).getScale("hub", deployments, web)).toEqual({
      ...web,
      uid: "u-1",
      resourceVersion: "8",
      replicas: 0,
      statusReplicas: 0,
      selector: "app=web",
    });
  });

  it.each([
    ["text", "3"],
    ["a fraction", 2.5],
    ["less than none", -1],
  ])("replicas that are %s are no answer", async (_case, replicas) => {
    const server = await stub((_, response) => json(response, 200, { ...answer, spec: { replicas } }));
    await expect(hubAt(server.url).getScale("hub", deployments, web)).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it("a scale without a version is never written: it would overwrite whatever is there (B60)", async () => {
    const server = await stub((_, response) => json(response, 200, answer));
    await expect(
      hubAt(server.url).updateScale(deployments, { ...scale, resourceVersion: "" }, by),
    ).rejects.toMatchObject({ kind: "invalid" });
    expect(server.received).toEqual([]);
  });
});

describe("merge patch on the wire (B104)", () => {
  it.each([
    ["the object", undefined, ""],
    ["the status", "status" as const, "/status"],
  ])("of %s", async (_case, subresource, suffix) => {
    const server = await stub((_, response) => json(response, 200, answer));
    const patch = { metadata: { resourceVersion: "7" }, status: { a: null } };
    const options = subresource === undefined ? by : { ...by, subresource };
    await hubAt(server.url).mergePatch(deployments, web, patch, options);
    expect(server.received).toMatchObject([
      { method: "PATCH", path: `/apis/apps/v1/namespaces/shop/deployments/web${suffix}` },
    ]);
    expect(server.received[0]?.headers["content-type"]).toBe("application/merge-patch+json");
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(patch);
  });
});

describe("create", () => {
  it("posts to the object's own namespace", async () => {
    const server = await stub(({ body }, response) => json(response, 201, JSON.parse(body)));
    const events = { group: "", version: "v1", resource: "events" };
    await hubAt(server.url).create(events, { metadata: { namespace: "shop", generateName: "web." } }, by);
    expect(server.received).toMatchObject([{ method: "POST", path: "/api/v1/namespaces/shop/events" }]);
  });
});
