import { once } from "node:events";
import { get, type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action, Update } from "#infra/browser/page/protocol";
import type { DecisionLine } from "#infra/local/decision-line";
import { eventStreams } from "#infra/local/page/event-stream";
import { PageModel } from "#infra/local/page/page-model";
import { type PageServer, startPageServer } from "#infra/local/page/page-server";

const clock = { nowMs: () => 0 };
let model: PageModel;
let server: PageServer;
let acted: unknown[];

const ANY = {
  files: async () => new Map([["/", { type: "text/html", text: "<p>hello" }]]),
  accountOf: async (key: string, atMs: number) => ({ ok: false as const, message: `${key} at ${atMs}` }),
};

beforeEach(async () => {
  acted = [];
  model = new PageModel({ mode: "observe", clock });
  server = await startPageServer({
    ...ANY,
    port: 0,
    streams: eventStreams(model),
    act: async (body) => {
      acted.push(body);
      return { ok: true, message: "done" };
    },
  });
});

afterEach(async () => {
  await server.close();
});

const origin = () => `http://127.0.0.1:${server.port}`;

function decided(object: string, atMs: number, why = "x".repeat(200)): void {
  const line: DecisionLine = { atMs, object, result: "unchanged", from: 1, to: 1, clusters: { a: 1 }, why };
  model.decided(line);
}

async function ask(method: string, path: string, headers: Record<string, string> = {}, body = "") {
  const sent = request(`${origin()}${path}`, { method, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const json = { "content-type": "application/json" };

describe("the page's server", () => {
  it("lets a page load from here only, be framed by nobody, and be kept by nobody", async () => {
    const { status, headers, text } = await ask("GET", "/");
    expect([status, text]).toEqual([200, "<p>hello"]);
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("does what the page itself asks for", async () => {
    const action: Action = { do: "cut-off", cluster: "a" };
    const { status, text } = await ask(
      "POST",
      "/actions",
      { ...json, origin: origin() },
      JSON.stringify(action),
    );
    expect([status, JSON.parse(text)]).toEqual([200, { ok: true, message: "done" }]);
    expect(acted).toEqual([action]);
  });

  it.each<[string, string, string, () => Record<string, string>, string, number]>([
    [
      "another site's request",
      "POST",
      "/actions",
      () => ({ ...json, origin: "http://evil.example" }),
      "{}",
      403,
    ],
    ["a request that says no origin", "POST", "/actions", () => json, "{}", 403],
    ["a rebound name", "GET", "/", () => ({ host: "evil.example" }), "", 403],
    ["a rebound name's stream", "GET", "/events", () => ({ host: "evil.example" }), "", 403],
    [
      "a form's body",
      "POST",
      "/actions",
      () => ({ "content-type": "text/plain", origin: origin() }),
      "{}",
      400,
    ],
    ["no JSON", "POST", "/actions", () => ({ ...json, origin: origin() }), "{", 400],
    ["a long body", "POST", "/actions", () => ({ ...json, origin: origin() }), `"${"x".repeat(5_000)}"`, 400],
    ["another verb", "DELETE", "/", () => ({ origin: origin() }), "", 405],
    ["another path", "GET", "/../../etc/passwd", () => ({}), "", 404],
    ["an instant that is none", "GET", "/account?object=a/b&at=noon", () => ({}), "", 400],
    ["an object that is none", "GET", "/account?object=a&at=2026-03-02T09:00:00Z", () => ({}), "", 400],
  ])("refuses %s", async (_case, method, path, headers, body, status) => {
    const answer = await ask(method, path, headers(), body);
    expect(answer.status).toBe(status);
    expect(answer.text.trim().split("\n")).toHaveLength(1);
    expect(acted).toEqual([]);
  });

  it("with a real hub changes nothing, and says so", async () => {
    const other = await startPageServer({ ...ANY, port: 0, streams: eventStreams(model) });
    const from = `http://127.0.0.1:${other.port}`;
    const sent = request(`${from}/actions`, { method: "POST", headers: { ...json, origin: from } });
    sent.end("{}");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(403);
    await other.close();
  });

  it("a port that is taken is one sentence", async () => {
    const again = startPageServer({ ...ANY, port: server.port, streams: eventStreams(model) });
    await expect(again).rejects.toThrow(
      /^the page's port \d+ cannot be listened on \(EADDRINUSE\); choose another$/,
    );
  });
});

interface Message {
  readonly id: string;
  readonly update: Update;
}

/** The messages of a stream, as a browser takes them apart. */
async function* messages(response: IncomingMessage): AsyncGenerator<Message> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (id !== undefined && data !== undefined) yield { id, update: JSON.parse(data) as Update };
    }
  }
}

async function open(path: string, lastId?: string): Promise<IncomingMessage> {
  const headers = lastId === undefined ? {} : { "last-event-id": lastId };
  const sent = get(`${origin()}${path}`, { headers });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function first(path: string, lastId?: string): Promise<Message> {
  const response = await open(path, lastId);
  const { value } = await messages(response).next();
  response.destroy();
  return value as Message;
}

describe("the stream", () => {
  it("begins with everything, and goes on with what changed", async () => {
    decided("x/a", 1);
    const response = await open("/events?object=x/a");
    const stream = messages(response);
    const { value: begin } = await stream.next();
    expect(begin.update).toMatchObject({ whole: true, mode: "observe", objects: [{ key: "x/a" }] });
    decided("x/b", 2);
    decided("x/a", 3);
    const { value: next } = await stream.next();
    expect(next.update.whole).toBe(false);
    expect(next.update.objects).toMatchObject([{ key: "x/b" }]);
    expect(next.update.course.points).toMatchObject([{ atMs: 3 }]);
    response.destroy();
  });

  it("a reader that comes back with the last id gets what it missed, and only that", async () => {
    decided("x/a", 1);
    const { id } = await first("/events?object=x/a");
    decided("x/b", 2);
    decided("x/a", 15);
    const { update } = await first("/events?object=x/a", id);
    expect(update).toMatchObject({ whole: false, objects: [{ key: "x/b" }] });
    expect(update.course?.points.map(({ atMs }) => atMs)).toEqual([15]);
  });

  it.each([
    ["another run", "deadbeef-1"],
    ["the future", "later"],
    ["nothing that is an id", "☃"],
  ])("a reader that comes with an id of %s gets everything", async (_case, given) => {
    decided("x/a", 1);
    const id = given === "later" ? `${model.run}-99` : given;
    const { update } = await first(`/events?since=${encodeURIComponent(id)}`);
    expect(update).toMatchObject({ whole: true, objects: [{ key: "x/a" }] });
  });

  it("many changes between two beats are one message with the last state", async () => {
    decided("x/a", 1);
    const response = await open("/events?object=x/a");
    const stream = messages(response);
    await stream.next();
    for (let slot = 2; slot < 500; slot++) decided("x/a", slot, `w${slot}`);
    const { value } = await stream.next();
    expect(value.update.course.points.at(-1)).toMatchObject({ atMs: 499, why: "w499" });
    response.destroy();
  });

  it("nothing is queued for a reader that does not read: later it gets the state of then", async () => {
    const everyone = (slot: number) => {
      for (let object = 0; object < 3_000; object++)
        decided(`x/${object}-${"n".repeat(1_500)}`, slot, `w${slot}`);
    };
    everyone(1);
    const response = await open("/events");
    response.pause();
    const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    for (let slot = 2; slot < 12; slot++) {
      // Each is a change of every line of the list: five megabytes for whoever takes it.
      for (let object = 0; object < 3_000; object++) {
        const key = `x/${object}-${"n".repeat(1_500)}`;
        model.decided({
          atMs: slot,
          object: key,
          result: "unchanged",
          from: slot,
          to: slot,
          clusters: {},
          why: "",
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 260));
    }
    const grown = process.memoryUsage().external + process.memoryUsage().arrayBuffers - before;
    expect(grown).toBeLessThan(20 * 1024 * 1024);
    let last: Message | undefined;
    let count = 0;
    for await (const message of messages(response)) {
      last = message;
      count += 1;
      if (message.update.objects?.[0]?.wanted === 11) break;
    }
    expect(last?.update.objects).toHaveLength(3_000);
    expect(count).toBeLessThan(6);
  }, 20_000);

  it("ends for everybody when the page is closed", async () => {
    const response = await open("/events");
    response.resume();
    const ended = once(response, "end");
    await server.close();
    await ended;
    server = await startPageServer({ ...ANY, port: 0, streams: eventStreams(model) });
  });
});
