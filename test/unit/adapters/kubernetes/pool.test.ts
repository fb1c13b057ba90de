import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Access } from "#adapters/kubernetes/kubeconfig";
import { type Pool, pool } from "#adapters/kubernetes/pool";
import { stub } from "./stub-server.ts";

const get = (sockets: Pool, signal = new AbortController().signal) =>
  sockets.request({ path: "/", method: "GET", headers: {}, body: undefined, signal });

/** A pool of two at a server that answers when it is told to. */
async function held() {
  const waiting: ServerResponse[] = [];
  const server = await stub((_, response) => waiting.push(response));
  const access: Access = { server: server.url, headers: {}, tls: {}, proxyUrl: undefined, freshMs: 0 };
  const asked = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
    return waiting;
  };
  return { sockets: pool(access, 2), server, asked };
}

describe("a pool of sockets", () => {
  it("keeps its sockets, and what has no place waits", async () => {
    const { sockets, server, asked } = await held();
    const answers = [get(sockets), get(sockets), get(sockets)];
    for (let i = 0; i < answers.length; i++) {
      const waiting = await asked(i + 1);
      expect(server.received.length).toBeLessThanOrEqual(i + 2);
      waiting[i]?.end("{}");
      (await answers[i])?.resume();
    }
    expect(server.sockets()).toBe(2);
    sockets.destroy();
  });

  it("once retired lets what is in flight end, and keeps no socket", async () => {
    const { sockets, server, asked } = await held();
    const answer = get(sockets);
    const [waiting] = await asked(1);
    sockets.retire();
    const gone = new Promise((resolve) => waiting?.req.socket.once("close", resolve));
    waiting?.end("whole");
    let text = "";
    for await (const chunk of await answer) text += chunk;
    expect(text).toBe("whole");
    await gone;
    expect(server.sockets()).toBe(1);
  });

  it("is drained when the last answer has been read", async () => {
    const { sockets, asked } = await held();
    const answer = get(sockets);
    const [waiting] = await asked(1);
    let isDrained = false;
    const drained = sockets.drain().then(() => {
      isDrained = true;
    });
    waiting?.write("first");
    const response = await answer;
    expect(isDrained).toBe(false);
    waiting?.end();
    response.resume();
    await drained;
  });

  it("destroyed cuts what is in flight", async () => {
    const { sockets, asked } = await held();
    const answer = get(sockets);
    await asked(1);
    sockets.destroy();
    await expect(answer).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("an aborted request rejects with the signal's own reason", async () => {
    const { sockets, asked } = await held();
    const stop = new AbortController();
    const answer = get(sockets, stop.signal);
    await asked(1);
    stop.abort(new Error("too late"));
    await expect(answer).rejects.toThrow("too late");
  });
});
