import type { ServerResponse } from "node:http";
import type { WatchChange } from "#sim/api/api-server";
import type { Status } from "#sim/api/failure";
import { apiVersionOf } from "#sim/api/resource-type";
import { type ApiRequest, isTrue, selectionOf } from "./api-request.ts";
import { representationOf } from "./read.ts";
import { type Representation, representObject } from "./represent.ts";

/** What a watch needs of the host's clock: timers on virtual time. */
export interface Timers {
  nowMs(): number;
  at(atMs: number, run: () => unknown): { cancel(): void };
}

/** Kubernetes sends a bookmark about once a minute. */
const BOOKMARK_SECONDS = 60;
/** Without `timeoutSeconds` a watch ends after half an hour to an hour there. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

/**
 * A watch as a stream of JSON lines: what was missed since `resourceVersion` (without one, or with 0, every object as
 * ADDED), then each change as it is made, until the time is up or the client goes. A version that is forgotten is an
 * ERROR event with the 410, as the watch cache answers it. Returns how to end it early, once.
 */
export function openWatch(request: ApiRequest, response: ServerResponse, timers: Timers): () => void {
  const { server, type, query } = request;
  const view = representationOf(request);
  const selection = selectionOf(request);
  const send = (event: string, object: object) =>
    response.write(`${JSON.stringify({ type: event, object })}\n`);
  const sendChange = (change: WatchChange) =>
    send(change.type, representObject({ ...view, nowMs: timers.nowMs() }, change.object));

  const filter = server.watched(type, selection);
  if (!filter.ok) return failed(response, filter.status);
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-cache, private" });
  response.flushHeaders();

  const start = query.get("resourceVersion") ?? "";
  const wantsInitial = isTrue(query.get("sendInitialEvents"));
  if (wantsInitial || start === "" || start === "0") {
    const list = server.list(type, selection, timers.nowMs());
    if (!list.ok) return failed(response, list.status);
    for (const object of list.value.items) sendChange({ type: "ADDED", resourceVersion: 0, object });
    if (wantsInitial) send("BOOKMARK", bookmark(view, list.value.resourceVersion, true));
  } else {
    const missed = server.changes(type, selection, Number(start));
    if (!missed.ok) return failed(response, missed.status);
    for (const change of missed.value) sendChange(change);
  }

  let bookmarked = server.store.resourceVersion;
  const sendBookmark = () => {
    if (!isTrue(query.get("allowWatchBookmarks")) || server.store.resourceVersion === bookmarked) return;
    bookmarked = server.store.resourceVersion;
    send("BOOKMARK", bookmark(view, String(bookmarked), false));
  };
  const unsubscribe = server.store.subscribe((change) => {
    const seen = filter.value(change);
    if (seen === undefined) return;
    sendChange(seen);
    bookmarked = change.resourceVersion;
  });
  const bookmarks = every(timers, BOOKMARK_SECONDS, sendBookmark);
  const seconds = Number(query.get("timeoutSeconds") ?? DEFAULT_TIMEOUT_SECONDS);
  const end = () => {
    if (response.writableEnded) return;
    unsubscribe();
    bookmarks.cancel();
    timeout.cancel();
    sendBookmark();
    response.end();
  };
  const timeout = timers.at(timers.nowMs() + seconds * 1000, end);
  response.once("close", end);
  return end;
}

function failed(response: ServerResponse, status: Status): () => void {
  if (!response.headersSent) response.writeHead(status.code, { "Content-Type": "application/json" });
  const isStream = response.statusCode === 200;
  response.end(isStream ? `${JSON.stringify({ type: "ERROR", object: status })}\n` : JSON.stringify(status));
  return () => {};
}

/** An object of the watched kind with nothing but the version up to which the client has seen everything. */
function bookmark(
  { type, form, nowMs, include }: Representation,
  resourceVersion: string,
  ends: boolean,
): object {
  const annotations = ends ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  const metadata = { resourceVersion, creationTimestamp: null, ...annotations } as object;
  const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata };
  if (form !== "table")
    return form === "metadata"
      ? { ...object, kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }
      : object;
  const table = representObject({ type, form, nowMs, include }, { ...object, metadata: { resourceVersion } });
  return {
    ...table,
    rows: [{ cells: [], object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata } }],
  };
}

function every(timers: Timers, seconds: number, run: () => void): { cancel(): void } {
  let timer = timers.at(timers.nowMs() + seconds * 1000, again);
  function again(): void {
    run();
    timer = timers.at(timers.nowMs() + seconds * 1000, again);
  }
  return { cancel: () => timer.cancel() };
}
