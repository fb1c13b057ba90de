import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { type HubOptions, hubOver } from "#adapters/kubernetes/hub";
import type { Transport } from "#adapters/kubernetes/transport";
import { nodePlatform } from "#adapters/node/platform";
import { isPortFault } from "#ports/fault";
import type { WatchEvent } from "#ports/kubernetes";
import { failure, hubAt, json, pods, stub } from "./stub-server.ts";

const query = { resourceVersion: "7", timeoutSeconds: 30 };
const pod = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;

/** A stream that sends each part on its own, then does what `end` says. */
async function watching(
  parts: readonly (string | Buffer)[],
  end: (response: ServerResponse) => void = (response) => response.end(),
  options: HubOptions = {},
) {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = await stub(async (_, response) => {
    response.once("close", close);
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for (const part of parts) {
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    end(response);
  });
  return { server, closed, hub: hubAt(server.url, options) };
}

/** What answers each request with these bytes, up to one of them. */
function cutAt(bytes: Buffer, at: number, how: string): Transport {
  const body = {
    async *[Symbol.asyncIterator]() {
      yield bytes.subarray(0, at);
      if (how === "breaks") throw new Error("socket hang up");
    },
    text: async () => "",
  };
  const unasked = () => Promise.reject(new Error("invariant: a watch alone"));
  return { open: async () => ({ status: 200, headers: {}, body }), send: unasked, close: async () => {} };
}

async function collect(events: AsyncIterable<WatchEvent>): Promise<{ seen: WatchEvent[]; fault: unknown }> {
  const seen: WatchEvent[] = [];
  try {
    for await (const event of events) seen.push(event);
  } catch (fault) {
    return { seen, fault };
  }
  return { seen, fault: undefined };
}

describe("a watch", () => {
  it("gives events and bookmarks in order, then ends with the stream", async () => {
    const { server, hub } = await watching([
      line("ADDED", pod("a", "8")) + line("MODIFIED", pod("a", "9")),
      line("BOOKMARK", { metadata: { resourceVersion: "10" } }) + line("DELETED", pod("a", "11")),
    ]);
    const { seen, fault } = await collect(hub.watch("hub", pods, { ...query, namespace: "shop" }));
    expect(fault).toBeUndefined();
    expect(seen).toEqual([
      { type: "ADDED", object: pod("a", "8") },
      { type: "MODIFIED", object: pod("a", "9") },
      { type: "BOOKMARK", resourceVersion: "10" },
      { type: "DELETED", object: pod("a", "11") },
    ]);
    expect(server.received[0]?.path).toBe("/api/v1/namespaces/shop/pods");
    expect(Object.fromEntries(server.received[0]?.query ?? [])).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: "7",
      timeoutSeconds: "30",
    });
  });

  it("joins lines that arrive in pieces, also inside a character", async () => {
    const bytes = Buffer.from(line("ADDED", pod("größe", "8")) + line("ADDED", pod("b", "9")));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
      bytes.subarray(i * 7, i * 7 + 7),
    );
    const { hub } = await watching(pieces);
    const { seen, fault } = await collect(hub.watch("hub", pods, query));
    expect(fault).toBeUndefined();
    expect(seen.map((event) => event.type === "ADDED" && event.object.metadata.name)).toEqual(["größe", "b"]);
  });

  it.each([["an ERROR event", line("ERROR", failure(410, "too old resource version: 7 (100)"))]])(
    "is missing when the version is no longer held: %s",
    async (_case, part) => {
      const { hub } = await watching([line("ADDED", pod("a", "8")), part]);
      const { seen, fault } = await collect(hub.watch("hub", pods, query));
      expect(seen).toHaveLength(1);
      expect(fault).toMatchObject({
        kind: "missing",
        message: "watch pods in the hub: 410 gone: too old resource version: 7 (100)",
      });
    },
  );

  it("is missing when the version is no longer held: the answer itself", async () => {
    const server = await stub((_, response) => json(response, 410, failure(410, "too old")));
    expect(await collect(hubAt(server.url).watch("hub", pods, query))).toMatchObject({
      seen: [],
      fault: { kind: "missing" },
    });
  });

  it.each([
    ["stops inside a line", [line("ADDED", pod("a", "8")), '{"type":"MODI'], undefined, /inside a line/],
    [
      "is reset",
      [line("ADDED", pod("a", "8"))],
      (response: ServerResponse) => response.socket?.resetAndDestroy(),
      /connection broke/,
    ],
    ["holds what is no JSON", [line("ADDED", pod("a", "8")), "oops\n"], undefined, /not JSON/],
    [
      "holds an event of no known type",
      [line("ADDED", pod("a", "8")), line("RENAMED", pod("a", "9"))],
      undefined,
      /not a watch event/,
    ],
    [
      "fails inside",
      [line("ADDED", pod("a", "8")), line("ERROR", failure(500, "etcd"))],
      undefined,
      /500 internal server error: etcd/,
    ],
  ])("is unavailable when the stream %s, after the events before it", async (_case, parts, end, message) => {
    const { hub } = await watching(parts, end);
    const { seen, fault } = await collect(hub.watch("hub", pods, query));
    expect(seen).toHaveLength(1);
    expect(fault).toMatchObject({ kind: "unavailable", message: expect.stringMatching(message) });
  });

  it("is cut when neither events nor bookmarks come", async () => {
    const { hub } = await watching([line("ADDED", pod("a", "8"))], () => undefined, { watchIdleMs: 300 });
    const { seen, fault } = await collect(hub.watch("hub", pods, query));
    expect(seen).toHaveLength(1);
    expect(fault).toMatchObject({
      kind: "unavailable",
      message: "watch pods in the hub: no whole answer within 0.3 s",
    });
  });

  it("is cut when the server lets it run past its time", async () => {
    const { hub } = await watching([], () => undefined, { deadlineMs: 100 });
    const before = performance.now();
    const { fault } = await collect(hub.watch("hub", pods, { ...query, timeoutSeconds: 1 }));
    expect(fault).toMatchObject({ kind: "unavailable" });
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("does not count the reader's own time as silence", async () => {
    const { hub } = await watching([line("ADDED", pod("a", "8")) + line("ADDED", pod("b", "9"))], undefined, {
      watchIdleMs: 300,
    });
    const seen: WatchEvent[] = [];
    for await (const event of hub.watch("hub", pods, query)) {
      seen.push(event);
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(seen).toHaveLength(2);
  });

  it("ends without a fault when its signal aborts, and closes its connection", async () => {
    const stop = new AbortController();
    const { hub, closed } = await watching([line("ADDED", pod("a", "8"))], () => undefined);
    const seen: WatchEvent[] = [];
    for await (const event of hub.watch("hub", pods, { ...query, signal: stop.signal })) {
      seen.push(event);
      setTimeout(() => stop.abort(), 10);
    }
    expect(seen).toHaveLength(1);
    await closed;
  });

  it("ends with the invocation, too", async () => {
    const invocation = new AbortController();
    const { hub } = await watching([line("ADDED", pod("a", "8"))], () => undefined);
    const seen: WatchEvent[] = [];
    for await (const event of hub.within(invocation.signal).watch("hub", pods, query)) {
      seen.push(event);
      setTimeout(() => invocation.abort(), 10);
    }
    expect(seen).toHaveLength(1);
  });

  it("is not begun for a signal that has aborted already", async () => {
    const { server, hub } = await watching([line("ADDED", pod("a", "8"))]);
    const { seen, fault } = await collect(hub.watch("hub", pods, { ...query, signal: AbortSignal.abort() }));
    expect([seen.length, fault, server.received.length]).toEqual([0, undefined, 0]);
  });

  it("closes its connection when the reader leaves", async () => {
    const { hub, closed } = await watching([line("ADDED", pod("a", "8"))], () => undefined);
    for await (const event of hub.watch("hub", pods, query)) {
      expect(event.type).toBe("ADDED");
      break;
    }
    await closed;
  });

  it("takes no place among the six requests, nor among other watches", async () => {
    const server = await stub(({ query: asked }, response) => {
      if (asked.get("watch") === "true") response.flushHeaders();
      else json(response, 200, { items: [] });
    });
    const hub = hubAt(server.url);
    const stop = nodePlatform().newStop();
    const watches = Array.from({ length: 20 }, () =>
      collect(hub.watch("hub", pods, { ...query, signal: stop.signal })),
    );
    while (server.received.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await hub.list("hub", pods)).items).toEqual([]);
    stop.abort();
    expect((await Promise.all(watches)).map(({ fault }) => fault)).toEqual(Array(20).fill(undefined));
  });

  describe.each(["breaks", "ends"])("whose connection %s at any byte", (how) => {
    const lines = [
      line("ADDED", pod("überall", "8")),
      line("BOOKMARK", { metadata: { resourceVersion: "9" } }),
      line("DELETED", pod("überall", "10")),
    ];
    const bytes = Buffer.from(lines.join(""));
    const ends = lines.map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join("")));

    it.each(Array.from({ length: bytes.length + 1 }, (_, at) => at))("%i", async (at) => {
      const { seen, fault } = await collect(hubOver(cutAt(bytes, at, how)).watch("hub", pods, query));
      expect(seen).toHaveLength(ends.filter((end) => end <= at).length);
      const isWhole = at === 0 || ends.includes(at);
      if (how === "ends" && isWhole) expect(fault).toBeUndefined();
      else expect(isPortFault(fault, "unavailable")).toBe(true);
    });
  });
});
