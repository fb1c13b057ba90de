import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageModel } from "./page-model.ts";

/** How often readers are told of changes, at most: in between, changes of one thing are one change. */
const BEAT_MS = 250;
/** A comment keeps proxies and dead connections from going unnoticed. */
const KEEP_ALIVE_MS = 15_000;
const READERS_AT_MOST = 20;

export interface EventStreams {
  /** Answers with a stream of server-sent events until the reader goes. */
  open(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void;
  readonly readers: number;
  close(): void;
}

interface Reader {
  readonly response: ServerResponse;
  readonly key: string | undefined;
  revision: number;
  courseRevision: number;
  told: string;
  quietSinceMs: number;
}

/**
 * Streams the model's changes. Nothing is queued for a reader: it has a revision, and gets what has changed since, when
 * its connection takes more. A reader that comes back with the id of the last event it saw goes on from there.
 */
export function eventStreams(model: PageModel): EventStreams {
  const readers = new Set<Reader>();
  let beat: NodeJS.Timeout | undefined;

  function tell(reader: Reader): void {
    const { response, key, revision, courseRevision } = reader;
    if (response.writableNeedDrain) return;
    const upTo = model.revision;
    const update = model.since(revision, key, courseRevision);
    const text = JSON.stringify(update);
    if (text === reader.told) {
      if (performance.now() - reader.quietSinceMs < KEEP_ALIVE_MS) return;
      response.write(": still here\n\n");
    } else {
      response.write(`id: ${model.run}-${upTo}\ndata: ${text}\n\n`);
    }
    Object.assign(reader, { told: text, revision: upTo, courseRevision: upTo });
    reader.quietSinceMs = performance.now();
  }

  function tellAll(): void {
    model.refresh();
    for (const reader of readers) tell(reader);
  }

  return {
    open(request, response, query) {
      if (readers.size >= READERS_AT_MOST) {
        response.writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" });
        response.end(`this page has ${READERS_AT_MOST} readers already; close one\n`);
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 1000\n\n");
      const last = String(request.headers["last-event-id"] ?? query.get("since") ?? "");
      const revision = revisionIn(last, model);
      const courseRevision =
        query.get("course") === "whole" && !request.headers["last-event-id"] ? 0 : revision;
      const key = query.get("object") ?? undefined;
      const reader = { response, key, revision, courseRevision, told: "", quietSinceMs: performance.now() };
      readers.add(reader);
      response.on("close", () => {
        readers.delete(reader);
        if (readers.size > 0) return;
        clearInterval(beat);
        beat = undefined;
      });
      model.refresh();
      tell(reader);
      beat ??= setInterval(tellAll, BEAT_MS);
    },
    get readers() {
      return readers.size;
    },
    close() {
      clearInterval(beat);
      for (const { response } of readers) response.end();
    },
  };
}

/** The revision that an event's id names; 0 for another run's, one from the future, and what is none. */
function revisionIn(id: string, { run, revision }: PageModel): number {
  const [, of, text = ""] = /^(\w+)-(\d{1,15})$/.exec(id) ?? [];
  const named = Number(text);
  return of === run && named <= revision ? named : 0;
}
