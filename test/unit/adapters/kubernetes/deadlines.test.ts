import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { hubAt, json, pods, stub } from "./stub-server.ts";

const list = { kind: "PodList", metadata: {}, items: [] };

describe("every request has a deadline", () => {
  it.each([
    ["headers that never come", () => undefined],
    [
      "a body that never ends",
      (response: ServerResponse) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(" "), 10);
        response.once("close", () => clearInterval(drip));
      },
    ],
  ])("%s", async (_case, respond) => {
    const server = await stub((_, response) => respond(response));
    const before = performance.now();
    await expect(hubAt(server.url, { deadlineMs: 200 }).list("hub", pods)).rejects.toMatchObject({
      kind: "unavailable",
      message: "list pods in the hub: no whole answer within 0.2 s",
    });
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(server.received).toHaveLength(1);
  });

  it("waiting for a place is not counted: a hanging member does not make a healthy one late", async () => {
    const server = await stub(({ path }, response) => {
      if (!path.includes("/clusters/hangs/")) json(response, 200, list);
    });
    const hub = hubAt(server.url, { deadlineMs: 600 });
    const hanging = Array.from({ length: 12 }, () => hub.list({ member: "hangs" }, pods).catch(() => "late"));
    const healthy = hub.list({ member: "healthy" }, pods);
    expect((await healthy).items).toEqual([]);
    expect(await Promise.all(hanging)).toEqual(Array(12).fill("late"));
  });
});

describe("within an invocation", () => {
  it("nothing goes on past its signal: neither what is in flight nor what waits", async () => {
    const server = await stub(() => undefined);
    const invocation = new AbortController();
    const hub = hubAt(server.url).within(invocation.signal);
    const outcomes = Array.from({ length: 8 }, () => hub.list("hub", pods).catch((error: unknown) => error));
    while (server.received.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    invocation.abort();
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).toMatchObject({
        kind: "unavailable",
        message: "list pods in the hub: stopped, since the caller's own time is over",
      });
    }
    expect(server.received).toHaveLength(6);
  });

  it("the next invocation uses the same connections", async () => {
    const server = await stub((_, response) => json(response, 200, list));
    const hub = hubAt(server.url);
    for (let i = 0; i < 5; i++) await hub.within(new AbortController().signal).list("hub", pods);
    expect(server.sockets()).toBe(1);
  });
});

describe("sockets (B101)", () => {
  it("100 reconciles of 5 clusters each use at most 6, and at most 6 requests are in flight", async () => {
    const server = await stub((_, response) => setTimeout(() => json(response, 200, list), 1));
    const hub = hubAt(server.url);
    const reads = Array.from({ length: 100 }, () =>
      Promise.all(Array.from({ length: 5 }, (_, i) => hub.list({ member: `member${i}` }, pods))),
    );
    await Promise.all(reads);
    expect(server.received).toHaveLength(500);
    expect(server.sockets()).toBeLessThanOrEqual(6);
    expect(server.peak()).toBe(6);
  });
});
