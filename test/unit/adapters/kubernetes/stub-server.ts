import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { fromKubeconfig, type HubOptions, type KubernetesHub } from "#adapters/kubernetes/hub";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Respond = (request: Received, response: ServerResponse) => void;

export interface Stub {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections that were opened, and requests that were unanswered at one time, at most. */
  readonly sockets: () => number;
  readonly peak: () => number;
}

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A server on this machine that answers as `respond` says; it and its hubs are closed after the test. */
export async function stub(respond: Respond): Promise<Stub> {
  const received: Received[] = [];
  let sockets = 0;
  let unanswered = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    unanswered += 1;
    peak = Math.max(peak, unanswered);
    response.once("close", () => {
      unanswered -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://stub");
    const entry: Received = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(entry);
    respond(entry, response);
  });
  server.on("connection", () => {
    sockets += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, sockets: () => sockets, peak: () => peak };
}

export function hubAt(url: string, options: HubOptions = {}, user: object = {}): KubernetesHub {
  return hubFrom(kubeconfig(url, user), options);
}

export function hubFrom(
  source: Parameters<typeof fromKubeconfig>[0],
  options: HubOptions = {},
): KubernetesHub {
  const hub = fromKubeconfig(source, undefined, options);
  open.push(() => hub.close());
  return hub;
}

export function kubeconfig(url: string, user: object = {}): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fleet",
    contexts: [{ name: "fleet", context: { cluster: "hub", user: "me" } }],
    clusters: [{ name: "hub", cluster: { server: url } }],
    users: [{ name: "me", user }],
  });
}

export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A Kubernetes Status that reports a failure. */
export function failure(code: number, message: string, details: object = {}): object {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, message, details };
}

export const pods = { group: "", version: "v1", resource: "pods" };
export const deployments = { group: "apps", version: "v1", resource: "deployments" };
