import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiServer } from "#sim/api/api-server";
import {
  badRequest,
  internalError,
  methodNotAllowed,
  notAcceptable,
  notFound,
  pathNotFound,
} from "#sim/api/failure";
import type { Fleet } from "#sim/fleet";
import { acceptedForm } from "./accept.ts";
import { type ApiPath, parseApiPath, type ResourcePath } from "./api-path.ts";
import { type ApiRequest, type RequestVerb, verbOf } from "./api-request.ts";
import { documentReply } from "./documents.ts";
import { getReply, listReply } from "./read.ts";
import { headersOf, type Reply, refused } from "./reply.ts";
import { CLIENT_LEFT, RequestCounts, type ServedRequest } from "./request-counts.ts";
import { reviewReply } from "./review.ts";
import { openWatch, type Timers } from "./watch.ts";
import { writeReply } from "./write.ts";

/**
 * The HTTP face of a fleet: the hub's API at the root, each member's behind
 * `/apis/cluster.karmada.io/v1alpha1/clusters/<name>/proxy`, as Karmada's aggregated API server serves it. Plain HTTP,
 * for this machine only, everyone may do everything.
 */
export interface KubeServerOptions {
  readonly fleet: Pick<Fleet, "hub" | "members" | "access">;
  /**
   * The time that objects and watches see. A slow member's delay passes on the wall instead: whoever waits for its
   * answer holds the virtual time, and measures its own patience on the wall.
   */
  readonly clock: Timers;
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Called after a write and before it is answered: whoever reads next sees what the controllers made of it. */
  readonly afterWrite?: () => void;
  readonly observe?: (request: ServedRequest) => void;
}

export interface KubeServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly counts: RequestCounts;
  /** Ends every watch and connection. */
  close(): Promise<void>;
}

const CLUSTERS = { group: "cluster.karmada.io", resource: "clusters" };

export async function serveKubernetes(options: KubeServerOptions): Promise<KubeServer> {
  const counts = new RequestCounts();
  const watches = new Set<() => void>();
  const server = createServer((request, response) => {
    answer({ options, counts, watches }, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, refused(internalError(error instanceof Error ? error.message : String(error))));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      for (const end of watches) end();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Host {
  readonly options: KubeServerOptions;
  readonly counts: RequestCounts;
  readonly watches: Set<() => void>;
}

async function answer(host: Host, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { fleet } = host.options;
  const [rawPath = "", rawQuery = ""] = splitOnce(request.url ?? "/", "?");
  const query = new URLSearchParams(rawQuery);
  const path = parsed(rawPath);
  if (path === undefined)
    return send(response, refused(badRequest(`the path ${rawPath} has a broken escape`)));
  const isProxied = path.kind === "resource" && path.group === CLUSTERS.group && path.subresource === "proxy";
  if (!isProxied) return serve(host, { server: fleet.hub, path, query, request, response });

  const name = path.name ?? "";
  const member = fleet.members.get(name);
  const target = parsed(rawPath.slice(rawPath.indexOf("/proxy") + "/proxy".length));
  if (member === undefined || target === undefined) return send(response, refused(notFound(CLUSTERS, name)));
  const { refusal, delayMs } = fleet.access(name, "group" in target ? target.group : "");
  if (delayMs > 0 && !(await waited(delayMs, response))) {
    return count(host, target, request.method ?? "GET", query, name, CLIENT_LEFT);
  }
  if (refusal === undefined)
    return serve(host, { server: member, member: name, path: target, query, request, response });
  count(host, target, request.method ?? "GET", query, name, refusal.code);
  return send(response, refused(refusal));
}

interface Incoming {
  readonly server: ApiServer;
  readonly member?: string;
  readonly path: ApiPath;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(host: Host, incoming: Incoming): Promise<void> {
  const { server, member, path, query, request, response } = incoming;
  const { clock, afterWrite } = host.options;
  const method = request.method ?? "GET";
  const form = acceptedForm(request.headers.accept);
  if (form === undefined) {
    return send(
      response,
      refused(notAcceptable("only the following media types are accepted: application/json")),
    );
  }
  if (path.kind !== "resource") {
    return send(response, documentReply(server, path, form, request.headers.host ?? "127.0.0.1"));
  }
  const review = reviewReply(path, method);
  if (review !== undefined) return send(response, review(await bodyOf(request)));
  const type = server.catalogue.find(path.apiVersion, path.resource);
  const verb = verbOf(method, path, query);
  if (type === undefined) return send(response, refused(pathNotFound()));
  if (verb === undefined)
    return send(response, refused(methodNotAllowed(`the server does not allow ${method}`)));
  const known = { server, method, path, type, query, headers: request.headers, form };
  if (verb === "watch" && type.verbs.includes("watch")) {
    count(host, path, method, query, member, 200);
    const end = openWatch({ ...known, nowMs: clock.nowMs() }, response, clock);
    host.watches.add(end);
    response.once("close", () => host.watches.delete(end));
    return;
  }
  const isRead = verb === "get" || verb === "list" || verb === "watch";
  const body = isRead ? undefined : await bodyOf(request);
  const full: ApiRequest = { ...known, nowMs: clock.nowMs() };
  const reply = body === undefined ? readReply(full, verb) : writeReply(full, verb, body);
  if (body !== undefined && reply.code < 300) afterWrite?.();
  count(host, path, method, query, member, reply.code);
  send(response, reply);
}

function readReply(request: ApiRequest, verb: RequestVerb): Reply {
  if (verb === "get") return getReply(request);
  if (verb === "list") return listReply(request);
  return refused(methodNotAllowed(`the server does not allow watches of ${request.type.resource}`));
}

function count(
  { options, counts }: Host,
  path: ApiPath,
  method: string,
  query: URLSearchParams,
  member: string | undefined,
  code: number,
): void {
  if (path.kind !== "resource") return;
  const verb = verbOf(method, path, query);
  if (verb === undefined) return;
  const served = {
    verb,
    resource: resourceName(path),
    member,
    code,
    fieldManager: query.get("fieldManager") ?? undefined,
  };
  counts.add(served);
  options.observe?.(served);
}

function resourceName({ resource, subresource }: ResourcePath): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

function send(response: ServerResponse, reply: Reply): void {
  const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  response.writeHead(reply.code, headersOf(reply, Buffer.byteLength(text)));
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Whether the client was still there afterwards. */
async function waited(ms: number, response: ServerResponse): Promise<boolean> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return sleep(ms, true, { signal: left.signal }).catch(() => false);
}

function parsed(path: string): ApiPath | undefined {
  try {
    return parseApiPath(path);
  } catch {
    return undefined;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
