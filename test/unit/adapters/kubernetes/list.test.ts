import { describe, expect, it } from "vitest";
import { isPortFault } from "#ports/fault";
import { failure, hubAt, json, pods, type Respond, stub } from "./stub-server.ts";

/** 1253 pods behind continue tokens; `expire` says whether the third page of the nth pass answers 410. */
function pagedPods(expire: (pass: number) => boolean): Respond {
  const all = Array.from({ length: 1253 }, (_, i) => ({ metadata: { namespace: "shop", name: `web-${i}` } }));
  let pass = 0;
  return ({ query }, response) => {
    const start = Number(query.get("continue") ?? 0);
    const limit = Number(query.get("limit"));
    if (start === 0) pass += 1;
    if (start === 1000 && expire(pass)) {
      json(response, 410, failure(410, "The provided continue parameter is too old"));
      return;
    }
    const end = start + limit;
    const metadata = {
      resourceVersion: `${100 * pass}`,
      ...(end < all.length ? { continue: `${end}` } : {}),
    };
    json(response, 200, { kind: "PodList", metadata, items: all.slice(start, end) });
  };
}

describe("pages of a list (B29)", () => {
  it("reads 1253 pods in pages of 500 with 3 requests", async () => {
    const server = await stub(pagedPods(() => false));
    const list = await hubAt(server.url, { pageSize: 500 }).list("hub", pods, { labelSelector: "app=web" });
    expect(list.items).toHaveLength(1253);
    expect(new Set(list.items.map(({ metadata }) => metadata.name)).size).toBe(1253);
    expect(server.received.map(({ query }) => query.toString())).toEqual([
      "labelSelector=app%3Dweb&limit=500",
      "labelSelector=app%3Dweb&limit=500&continue=500",
      "labelSelector=app%3Dweb&limit=500&continue=1000",
    ]);
  });

  it("asks for pages of 1000 unless told otherwise", async () => {
    const server = await stub(pagedPods(() => false));
    await hubAt(server.url)
      .list("hub", pods)
      .catch(() => undefined);
    expect(server.received[0]?.query.get("limit")).toBe("1000");
  });

  it.each([
    ["once", 1, 6],
    ["twice", 2, 9],
  ])("begins anew when the third page answers 410 %s", async (_times, expired, requests) => {
    const server = await stub(pagedPods((pass) => pass <= expired));
    const list = await hubAt(server.url, { pageSize: 500 }).list("hub", pods);
    expect(list.items).toHaveLength(1253);
    expect(list.resourceVersion).toBe(`${100 * (expired + 1)}`);
    expect(server.received).toHaveLength(requests);
  });

  it("is unavailable when it answers 410 a third time, never 1000 pods", async () => {
    const server = await stub(pagedPods(() => true));
    const at = { member: "eu-1" };
    await expect(
      hubAt(server.url, { pageSize: 500 }).list(at, pods, { namespace: "shop" }),
    ).rejects.toMatchObject({
      kind: "unavailable",
      message:
        "list pods shop in cluster eu-1: 410 gone, 3 times: the list expires faster than it can be read",
    });
    expect(server.received).toHaveLength(9);
  });

  it("has the version of its first page: a watch from there misses nothing", async () => {
    const server = await stub(({ query }, response) => {
      const metadata = query.has("continue")
        ? { resourceVersion: "9" }
        : { resourceVersion: "7", continue: "x" };
      json(response, 200, { metadata, items: [] });
    });
    expect((await hubAt(server.url).list("hub", pods)).resourceVersion).toBe("7");
  });

  it("is unavailable when the server gives the same token for ever", async () => {
    const server = await stub((_, response) =>
      json(response, 200, { metadata: { continue: "x" }, items: [] }),
    );
    const outcome = await hubAt(server.url)
      .list("hub", pods)
      .catch((error: unknown) => error);
    expect(isPortFault(outcome, "unavailable")).toBe(true);
    expect(server.received).toHaveLength(2);
  });
});

describe("what counts as a list", () => {
  it.each([
    ["items is null: an empty Go slice", { metadata: {}, items: null }, []],
    [
      "no resourceVersion, as metrics.k8s.io gives",
      { metadata: {}, items: [{ metadata: { name: "a" } }] },
      ["a"],
    ],
  ])("%s", async (_case, body, names) => {
    const server = await stub((_, response) => json(response, 200, body));
    const list = await hubAt(server.url).list("hub", pods);
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(list.resourceVersion).toBe("");
  });

  it.each([
    ["no items", {}],
    ["items that are no objects", { items: [null] }],
    ["an object without metadata", { items: [{ spec: {} }] }],
    ["an array", []],
  ])("%s is unavailable, not an empty list", async (_case, body) => {
    const server = await stub((_, response) => json(response, 200, body));
    await expect(hubAt(server.url).list("hub", pods)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("metadata only", () => {
  it("asks for PartialObjectMetadataList and takes whole objects too", async () => {
    const metadata = { name: "web", namespace: "shop", resourceVersion: "7" };
    const server = await stub((_, response) =>
      json(response, 200, { metadata: { resourceVersion: "9" }, items: [{ metadata, spec: { big: true } }] }),
    );
    const list = await hubAt(server.url).listMetadata("hub", pods);
    expect(list).toEqual({ items: [{ metadata }], resourceVersion: "9" });
    expect(server.received[0]?.headers.accept).toBe(
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
    );
  });
});
