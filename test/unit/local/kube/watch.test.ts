import { afterEach, describe, expect, it } from "vitest";
import { hubOverHttp } from "./hub-over-http.ts";

type World = Awaited<ReturnType<typeof hubOverHttp>>;

const worlds: World[] = [];
afterEach(() => Promise.all(worlds.splice(0).map(({ server }) => server.close())));

async function world(): Promise<World> {
  const made = await hubOverHttp();
  worlds.push(made);
  return made;
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });

describe("watches over HTTP", () => {
  it("begins without a resourceVersion with everything there is, then tells each change", async () => {
    const { call, watch } = await world();
    await call("POST", MAPS, map("a"));
    const stream = await watch(`${MAPS}?watch=true`);
    await call("PUT", `${MAPS}/a`, map("a", { k: "1" }));
    await call("DELETE", `${MAPS}/a`);
    const events = [await stream.next(), await stream.next(), await stream.next()];
    expect(events.map((event) => `${event?.type} ${event?.object.metadata.name}`)).toEqual([
      "ADDED a",
      "MODIFIED a",
      "DELETED a",
    ]);
    const versions = events.map((event) => Number(event?.object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it("goes on from a resourceVersion without losing or repeating anything", async () => {
    const { call, watch } = await world();
    const first = await call("POST", MAPS, map("a"));
    await call("POST", MAPS, map("b"));
    const stream = await watch(`${MAPS}?watch=1&resourceVersion=${first.json.metadata.resourceVersion}`);
    await call("POST", MAPS, map("c"));
    expect([
      (await stream.next())?.object.metadata.name,
      (await stream.next())?.object.metadata.name,
    ]).toEqual(["b", "c"]);
  });

  it("tells a client with a forgotten version 410 in the stream, and ends", async () => {
    const { call, watch, hub } = await world();
    await call("POST", MAPS, map("a"));
    hub.store.compact();
    const stream = await watch(`${MAPS}?watch=true&resourceVersion=1`);
    expect([stream.code, await stream.next()]).toMatchObject([
      200,
      {
        type: "ERROR",
        object: { kind: "Status", code: 410, reason: "Expired", message: "too old resource version: 1 (2)" },
      },
    ]);
    expect(await stream.next()).toBeUndefined();
  });

  it("ends after timeoutSeconds, with a bookmark of all that was seen", async () => {
    const { call, watch, timers } = await world();
    const stream = await watch(
      `${MAPS}?watch=true&resourceVersion=1&timeoutSeconds=30&allowWatchBookmarks=true`,
    );
    // A change of another resource moves the version on, and only the bookmark tells.
    await call("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
    timers.advance(29);
    timers.advance(1);
    expect(await stream.next()).toMatchObject({
      type: "BOOKMARK",
      object: { kind: "ConfigMap", metadata: { resourceVersion: "2" } },
    });
    expect(await stream.next()).toBeUndefined();
  });

  it("sends a bookmark every minute in which something moved, and none otherwise", async () => {
    const { call, watch, timers } = await world();
    const stream = await watch(
      `${MAPS}?watch=true&resourceVersion=1&timeoutSeconds=600&allowWatchBookmarks=true`,
    );
    timers.advance(60);
    await call("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
    timers.advance(60);
    timers.advance(60);
    await call("POST", MAPS, map("a"));
    expect([(await stream.next())?.type, (await stream.next())?.type]).toEqual(["BOOKMARK", "ADDED"]);
  });

  it("sends no bookmark to a client that did not ask for any", async () => {
    const { call, watch, timers } = await world();
    const stream = await watch(`${MAPS}?watch=true&resourceVersion=1&timeoutSeconds=90`);
    await call("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
    timers.advance(90);
    expect(await stream.next()).toBeUndefined();
  });

  it("streams a list: everything, then the bookmark that ends it", async () => {
    const { call, watch } = await world();
    await call("POST", MAPS, map("a"));
    const query =
      "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const stream = await watch(`${MAPS}?${query}`);
    expect((await stream.next())?.type).toBe("ADDED");
    expect(await stream.next()).toMatchObject({
      type: "BOOKMARK",
      object: { metadata: { resourceVersion: "2", annotations: { "k8s.io/initial-events-end": "true" } } },
    });
  });

  it("selects like a list, and notices when an object comes and goes", async () => {
    const { call, watch } = await world();
    const stream = await watch(`${MAPS}?watch=true&labelSelector=in%3Dyes&resourceVersion=1`);
    const labelled = (labels: object) => ({ metadata: { name: "a", labels } });
    await call("POST", MAPS, labelled({ in: "no" }));
    await call("PUT", `${MAPS}/a`, labelled({ in: "yes" }));
    await call("PUT", `${MAPS}/a`, labelled({ in: "no" }));
    expect([(await stream.next())?.type, (await stream.next())?.type]).toEqual(["ADDED", "DELETED"]);
  });

  it("prints each event as a table for kubectl", async () => {
    const { call, watch } = await world();
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const stream = await watch(`${MAPS}?watch=true&resourceVersion=1`, { accept });
    await call("POST", MAPS, map("a", { k: "1" }));
    expect(await stream.next()).toMatchObject({
      type: "ADDED",
      object: { kind: "Table", rows: [{ cells: ["a", 1, "0s"] }] },
    });
  });

  it("tells only the metadata to those who ask for no more", async () => {
    const { call, watch } = await world();
    const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    const stream = await watch(`${MAPS}?watch=true&resourceVersion=1`, { accept });
    const { json } = await call("POST", MAPS, map("a", { k: "1" }));
    expect((await stream.next())?.object).toEqual({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: json.metadata,
    });
  });

  it("refuses what it cannot select before it streams", async () => {
    const { watch } = await world();
    expect((await watch(`${MAPS}?watch=true&fieldSelector=a%3Db`)).code).toBe(400);
  });

  it("lets go of a client that leaves, and of everyone when it closes", async () => {
    const made = await hubOverHttp();
    const { watch, call, server, timers } = made;
    const leaving = await watch(`${MAPS}?watch=true&resourceVersion=1`);
    const staying = await watch(`${MAPS}?watch=true&resourceVersion=1`);
    const both = timers.waiting;
    await leaving.cancel();
    await expect.poll(() => timers.waiting).toBe(both / 2);
    await call("POST", MAPS, map("a"));
    expect((await staying.next())?.type).toBe("ADDED");
    const ended = staying.next();
    await server.close();
    expect(await ended).toBeUndefined();
    expect(timers.waiting).toBe(0);
  });
});
