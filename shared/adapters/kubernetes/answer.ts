import { STATUS_CODES } from "node:http";
import { PortFault, type PortFaultKind } from "#ports/fault";
import type { Call } from "./call.ts";

/** What came back, the body read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The body of a 2xx answer as an object; anything else as the `PortFault` it means. */
export function objectIn(call: Call, answer: Answer): Record<string, unknown> {
  if (answer.status < 200 || answer.status > 299) throw faultOf(call, answer);
  return parseObject(call, answer.body);
}

/** A cut or foreign body (a proxy's page) says nothing about the cluster: `unavailable`, never an empty object. */
export function parseObject(call: Call, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PortFault("unavailable", `${call.what}: the answer is not JSON (${excerpt(text)})`, { cause });
  }
  if (!isObject(value)) {
    throw new PortFault("unavailable", `${call.what}: the answer is not a JSON object (${excerpt(text)})`);
  }
  return value;
}

/** The fault that an answer outside 2xx means: its kind, the server's own message, and what to do. */
export function faultOf(call: Call, answer: Answer): PortFault {
  const { status } = answer;
  const said = statusBody(answer.body);
  const retryAfterMs = retryAfter(answer, said);
  const name = STATUS_CODES[status]?.toLowerCase() ?? "";
  const message = said.message ?? excerpt(answer.body);
  const advice = adviceFor(call, status, said, retryAfterMs);
  return new PortFault(
    faultKind(status),
    `${call.what}: ${status}${name === "" ? "" : ` ${name}`}${message === "" ? "" : `: ${message}`}${advice}`,
    { cause: new Error(answer.body), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  );
}

export function faultKind(status: number): PortFaultKind {
  if (status === 401 || status === 403) return "denied";
  if (status === 404 || status === 410) return "missing";
  if (status === 409 || status === 412) return "conflict";
  if (status === 429) return "throttled";
  // 408 is the server's own time-out. A redirect is a proxy in between, not the API.
  if (status >= 500 || status === 408 || status < 400) return "unavailable";
  return "invalid";
}

interface StatusBody {
  readonly message?: string;
  readonly group?: string;
  readonly retryAfterSeconds?: number;
}

/** The fields of a `Status` that faults use; none of them when the body is something else. */
function statusBody(body: string): StatusBody {
  let status: unknown;
  try {
    status = JSON.parse(body);
  } catch {
    return {};
  }
  if (!isObject(status)) return {};
  const details = isObject(status.details) ? status.details : {};
  return {
    ...(typeof status.message === "string" && status.message !== "" ? { message: status.message } : {}),
    ...(typeof details.group === "string" ? { group: details.group } : {}),
    ...(typeof details.retryAfterSeconds === "number" && details.retryAfterSeconds > 0
      ? { retryAfterSeconds: details.retryAfterSeconds }
      : {}),
  };
}

/** Milliseconds to wait, from the header (seconds or an HTTP date) or else from the Status. */
function retryAfter(answer: Answer, said: StatusBody): number | undefined {
  const header = answer.headers["retry-after"];
  if (typeof header === "string" && header.trim() !== "") {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const at = Date.parse(header);
    if (Number.isFinite(at)) return Math.max(0, at - Date.now());
  }
  return said.retryAfterSeconds === undefined ? undefined : said.retryAfterSeconds * 1000;
}

function adviceFor(call: Call, status: number, said: StatusBody, retryAfterMs: number | undefined): string {
  if (status === 401) return "; renew the credentials in the kubeconfig";
  if (status === 403) return `; grant ${missingRight(call, said)}`;
  if (status === 409 || status === 412) return "; read it again and decide anew";
  if (retryAfterMs !== undefined) return `; try again after ${retryAfterMs / 1000} s`;
  return "";
}

/** Behind the proxy three different rights can be missing, on two sides (B59, serverless 5.3). */
function missingRight(call: Call, said: StatusBody): string {
  if (call.at === "hub") return call.right;
  const message = said.message ?? "";
  if (said.group === "cluster.karmada.io" || message.includes("clusters/proxy")) {
    return `* on clusters.cluster.karmada.io/proxy ${call.at.member} in the hub`;
  }
  const impersonated = /cannot impersonate resource "([a-z]+)"/.exec(message)?.[1];
  if (impersonated !== undefined) {
    return `impersonate on ${impersonated} to karmada-impersonator in cluster ${call.at.member}`;
  }
  return call.right;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 200 ? line : `${line.slice(0, 200)}…`;
}
