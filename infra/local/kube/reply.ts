import type { ServerResponse } from "node:http";
import type { Status } from "#sim/api/failure";

/** One answer. A string body is sent as it is, an object as JSON. */
export interface Reply {
  readonly code: number;
  readonly body: object | string;
  readonly contentType?: string;
  readonly warnings?: readonly string[] | undefined;
}

export function ok(body: object | string, warnings?: readonly string[]): Reply {
  return { code: 200, body, warnings };
}

export function refused(status: Status): Reply {
  return { code: status.code, body: status };
}

export function send(response: ServerResponse, reply: Reply): void {
  const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  response.writeHead(reply.code, headersOf(reply, Buffer.byteLength(text)));
  response.end(text);
}

/** Header lines of a reply: `Warning` as kubectl reads it, `Retry-After` where the refusal says when. */
function headersOf(reply: Reply, length: number): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {
    "Content-Type": reply.contentType ?? (typeof reply.body === "string" ? "text/plain" : "application/json"),
    "Content-Length": length,
    "Cache-Control": "no-cache, private",
  };
  if (reply.warnings !== undefined && reply.warnings.length > 0) {
    headers.Warning = reply.warnings.map((text) => `299 - ${JSON.stringify(text)}`);
  }
  const retryAfter = (reply.body as Partial<Status>).details?.retryAfterSeconds;
  if (reply.code >= 400 && retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  return headers;
}
