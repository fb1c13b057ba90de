import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiServer } from "#sim/api/api-server";
import {
  badRequest,
  entityTooLarge,
  methodNotAllowed,
  notAcceptable,
  notFound,
  pathNotFound,
} from "#sim/api/failure";
import { acceptedForm, type Form } from "./accept.ts";
import { type ApiPath, parseApiPath, type ResourcePath } from "./api-path.ts";
import { type ApiRequest, type RequestVerb, verbOf } from "./api-request.ts";
import { denial, type Rights } from "./authorize.ts";
import { BODY_LIMIT_BYTES, bodyOf } from "./body.ts";
import { documentReply } from "./documents.ts";
import { metricValuesReply } from "./metric-values.ts";
import { getReply, listReply } from "./read.ts";
import { type Reply, refused, send } from "./reply.ts";
import { CLIENT_LEFT, type RequestCounts } from "./request-counts.ts";
import { reviewReply } from "./review.ts";
import type { KubeServerOptions } from "./server.ts";
import { openWatch } from "./watch.ts";
import { writeReply } from "./write.ts";

export interface Host {
  readonly options: KubeServerOptions;
  readonly counts: RequestCounts;
  /** How to end each open watch. */
  readonly watches: Set<() => void>;
}

/** One request, and which server it is for. */
interface Incoming {
  readonly server: ApiServer;
  /** The member, behind its proxy; absent for the hub. */
  readonly member?: string;
  readonly path: ApiPath;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const CLUSTERS = { group: "cluster.karmada.io", resource: "clusters" };

/** Answers one request: on the hub, or on the member it is proxied to. */
export async function answer(host: Host, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { fleet } = host.options;
  const [rawPath = "", rawQuery = ""] = splitOnce(request.url ?? "/", "?");
  const query = new URLSearchParams(rawQuery);
  const path = parsed(rawPath);
  if (path === undefined)
    return send(response, refused(badRequest(`the path ${rawPath} has a broken escape`)));
  const toHub: Incoming = { server: fleet.hub, path, query, request, response };
  if (path.kind !== "resource" || path.group !== CLUSTERS.group || path.subresource !== "proxy") {
    return serve(host, toHub);
  }
  const name = path.name ?? "";
  const denied = denialOf(host, toHub, "hub", path);
  if (denied !== undefined) {
    count(host, toHub, 403);
    return send(response, denied);
  }
  const member = fleet.members.get(name);
  const onMember = parsed(rawPath.slice(rawPath.indexOf("/proxy") + "/proxy".length));
  if (member === undefined || onMember === undefined)
    return send(response, refused(notFound(CLUSTERS, name)));
  return serveProxied(host, { ...toHub, server: member, member: name, path: onMember });
}

async function serveProxied(host: Host, incoming: Incoming): Promise<void> {
  const { member = "", path, response } = incoming;
  const { refusal, delayMs } = host.options.fleet.access(member, "group" in path ? path.group : "");
  if (delayMs > 0 && !(await waited(delayMs, response))) return count(host, incoming, CLIENT_LEFT);
  if (refusal === undefined) return serve(host, incoming);
  count(host, incoming, refusal.code);
  send(response, refused(refusal));
}

async function serve(host: Host, incoming: Incoming): Promise<void> {
  const { server, path, request, response } = incoming;
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
  const review = reviewReply(path, request.method ?? "");
  if (review !== undefined) return send(response, review((await bodyOf(request)) ?? Buffer.alloc(0)));
  const denied = denialOf(host, incoming, incoming.member === undefined ? "hub" : "members", path);
  const reply = denied ?? (await resourceReply(host, incoming, path, form));
  if (reply === undefined) return;
  count(host, incoming, reply.code);
  send(response, reply);
}

/** Undefined when the answer is a stream that has begun. */
async function resourceReply(
  host: Host,
  incoming: Incoming,
  path: ResourcePath,
  form: Form,
): Promise<Reply | undefined> {
  const { server, query, request } = incoming;
  const { clock, afterWrite } = host.options;
  const method = request.method ?? "GET";
  const type = server.catalogue.find(path.apiVersion, path.resource);
  const verb = verbOf(method, path, query);
  if (type === undefined)
    return metricValuesReply(server, path, query, clock.nowMs()) ?? refused(pathNotFound());
  if (verb === undefined) return refused(methodNotAllowed(`the server does not allow ${method}`));
  const isRead = verb === "get" || verb === "list" || verb === "watch";
  const body = isRead ? Buffer.alloc(0) : await bodyOf(request);
  if (body === undefined) return refused(entityTooLarge(BODY_LIMIT_BYTES));
  const { headers } = request;
  const asked: ApiRequest = { server, method, path, type, query, headers, form, nowMs: clock.nowMs() };
  if (verb === "watch" && type.verbs.includes("watch")) return startWatch(host, incoming, asked);
  if (isRead) return readReply(asked, verb);
  const reply = writeReply(asked, verb, body);
  if (reply.code < 300) afterWrite?.();
  return reply;
}

/** What whoever may not is told; undefined for those who may. */
function denialOf(
  { options: { rights } }: Host,
  { request, query }: Incoming,
  at: keyof Rights,
  path: ResourcePath,
): Reply | undefined {
  if (rights === undefined) return undefined;
  const verb = verbOf(request.method ?? "GET", path, query);
  if (verb === undefined) return undefined;
  const { group, namespace, name } = path;
  const asked = { verb, group, resource: resourceOf(path), namespace, name };
  return rights[at](asked) ? undefined : refused(denial(asked));
}

function resourceOf({ resource, subresource }: ResourcePath): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

function startWatch(host: Host, incoming: Incoming, request: ApiRequest): undefined {
  const { response } = incoming;
  count(host, incoming, 200);
  const end = openWatch(request, response, host.options.clock);
  host.watches.add(end);
  response.once("close", () => host.watches.delete(end));
}

function readReply(request: ApiRequest, verb: RequestVerb): Reply {
  if (verb === "get") return getReply(request);
  if (verb === "list") return listReply(request);
  return refused(methodNotAllowed(`the server does not allow watches of ${request.type.resource}`));
}

function count({ options, counts }: Host, { path, query, member, request }: Incoming, code: number): void {
  if (path.kind !== "resource") return;
  const verb = verbOf(request.method ?? "GET", path, query);
  if (verb === undefined) return;
  const resource = resourceOf(path);
  const { group, namespace } = path;
  const fieldManager = query.get("fieldManager") ?? undefined;
  const served = { verb, group, resource, namespace, member, code, fieldManager };
  counts.add(served);
  options.observe?.(served);
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
