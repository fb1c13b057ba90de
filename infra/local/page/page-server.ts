/**
 * The HTTP face of the live page: on this machine's own address only, for the page itself only. Everything it needs
 * comes from here.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseInstant } from "#domain/units/instant";
import type { AccountAnswer, ActionAnswer } from "#infra/browser/page/protocol";
import type { EventStreams } from "./event-stream.ts";
import type { AccountOf } from "./ledger-accounts.ts";
import { refusalOf } from "./request-guard.ts";

export interface PageServerOptions {
  readonly port: number;
  readonly streams: EventStreams;
  /** The page's files, by their path. */
  readonly files: () => Promise<ReadonlyMap<string, PageFile>>;
  readonly accountOf: AccountOf;
  /** Absent where nothing may be changed. */
  readonly act?: (body: unknown) => Promise<ActionAnswer>;
}

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

const HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

const BODY_AT_MOST = 4_096;

export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    answer(options, port(), request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, error instanceof Error ? error.message : String(error));
    });
  });
  const port = () => (server.address() as AddressInfo).port;
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening").catch((cause) => {
    throw new Error(`the page's port ${options.port} cannot be listened on (${cause.code}); choose another`, {
      cause,
    });
  });
  return {
    port: port(),
    async close() {
      options.streams.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { streams, files, accountOf, act }: PageServerOptions,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusalOf(request, port);
  if (refusal !== undefined) return sendText(response, 403, refusal);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
  if (request.method === "POST") {
    if (pathname !== "/actions") return sendText(response, 404, "there is nothing to POST to but /actions");
    if (act === undefined) {
      return sendText(response, 403, "this page only shows a real hub: nothing can be changed from here");
    }
    const body = await jsonOf(request);
    if (body === undefined) return sendText(response, 400, "an action is JSON, application/json, up to 4 KB");
    const done = await act(body);
    return sendJson(response, done.ok ? 200 : 422, done);
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return sendText(response, 405, "GET and POST are answered here");
  }
  if (pathname === "/events") return streams.open(request, response, searchParams);
  if (pathname === "/account") {
    const atMs = parseInstant(searchParams.get("at") ?? "");
    const key = searchParams.get("object") ?? "";
    if (atMs === undefined || !/^[^/]+\/[^/]+$/.test(key)) {
      return sendText(response, 400, "give object=NAMESPACE/NAME and at=INSTANT, like 2026-03-01T08:25:00Z");
    }
    return sendJson(response, 200, await accountOf(key, atMs));
  }
  const file = (await files()).get(pathname);
  if (file === undefined) return sendText(response, 404, `there is no ${pathname} here`);
  send(response, 200, file.type, file.text);
}

/** Undefined for what is no JSON, is not said to be, or is too long. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/.test(request.headers["content-type"] ?? "")) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > BODY_AT_MOST) return undefined;
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: AccountAnswer | ActionAnswer): void {
  send(response, status, "application/json", JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "text/plain; charset=utf-8", `${text}\n`);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}
