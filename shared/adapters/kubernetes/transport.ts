import type { IncomingMessage } from "node:http";
import { isPortFault, PortFault } from "#ports/fault";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { type Connection, connect } from "./connection.ts";
import { type Credentials, credentials } from "./credentials.ts";
import { deadline, Late } from "./deadline.ts";
import { type Gate, inFlight } from "./in-flight.ts";
import type { Access } from "./kubeconfig.ts";
import type { Pool } from "./pool.ts";

/**
 * Sends requests to one hub: each once, at most six in flight, each under a deadline that starts when it is sent (so
 * that waiting behind a cluster that hangs is not counted against a healthy one). Only a request refused with 401,
 * which had no effect, is sent again, with credentials read anew.
 */
export interface Transport {
  /** The whole answer, whatever its status. Throws `unavailable` when there is none. */
  send(call: Call, signal?: AbortSignal): Promise<Answer>;
  /** The answer up to its headers; the caller reads the body. Streams are not counted among the six. */
  open(call: Call, signal: AbortSignal): Promise<OpenAnswer>;
  close(): Promise<void>;
}

export interface OpenAnswer extends Omit<Answer, "body"> {
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string> };
}

export interface TransportSettings {
  readonly deadlineMs: number;
  readonly userAgent: string;
}

/** At most so many requests in flight per invocation and hub (design 1). */
export const MAX_IN_FLIGHT = 6;
/** Credential plugins start a process, which may itself ask a server. */
const CREDENTIALS_MS = 10_000;

export function transport(read: () => Promise<Access>, settings: TransportSettings): Transport {
  const held: Credentials = credentials(read, CREDENTIALS_MS);
  const gate: Gate = inFlight(MAX_IN_FLIGHT);
  let connection: Connection | undefined;

  function connectionFor(access: Access): Connection {
    if (connection?.access !== access) {
      const old = connection;
      connection = connect(access, MAX_IN_FLIGHT, old);
    }
    return connection;
  }

  /** `exchange` on the current connection, and once more on the next where the server refused the credentials. */
  async function authenticated<T extends { status: number }>(
    exchange: (connection: Connection) => Promise<T>,
    drop?: (refused: T) => Promise<unknown>,
  ): Promise<T> {
    const access = await held.current();
    const first = await exchange(connectionFor(access));
    if (first.status !== 401) return first;
    const fresh = await held.renew(access).catch(() => undefined);
    if (fresh === undefined) return first;
    await drop?.(first);
    return exchange(connectionFor(fresh));
  }

  return {
    send(call, signal) {
      async function exchange(on: Connection): Promise<Answer> {
        const limit = deadline(signal);
        try {
          limit.arm(settings.deadlineMs);
          const { body, ...answer } = await dispatch(call, on, on.requests, limit.signal);
          return { ...answer, body: await body.text() };
        } finally {
          limit.release();
        }
      }
      return guarded(call, signal, () => gate(() => authenticated(exchange), signal));
    },

    open(call, signal) {
      return guarded(call, signal, () =>
        authenticated(
          (on) => dispatch(call, on, on.watches, signal),
          (refused) => refused.body.text(),
        ),
      );
    },

    close: async () => {
      await connection?.close();
      connection = undefined;
    },
  };

  async function dispatch(call: Call, on: Connection, pool: Pool, signal: AbortSignal): Promise<OpenAnswer> {
    const answer = await pool.request({
      path: on.prefix + call.path,
      method: call.method,
      headers: {
        ...on.access.headers,
        "user-agent": settings.userAgent,
        accept: call.accept ?? "application/json",
        ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
      },
      body: call.body,
      signal,
    });
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: bodyOf(answer, signal) };
  }
}

/** The body, which ends with the signal's reason when that aborts; the socket would only say that it was cut. */
function bodyOf(answer: IncomingMessage, signal: AbortSignal): OpenAnswer["body"] {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* answer as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }
  return {
    [Symbol.asyncIterator]: chunks,
    async text() {
      const read: Uint8Array[] = [];
      for await (const chunk of chunks()) read.push(chunk);
      return Buffer.concat(read).toString("utf8");
    },
  };
}

/** Turns what the network does into `unavailable`, saying what it was. */
export async function guarded<T>(
  call: Call,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isPortFault(cause)) throw cause;
    throw new PortFault("unavailable", `${call.what}: ${reasonOf(cause, signal)}`, { cause });
  }
}

function reasonOf(error: unknown, signal: AbortSignal | undefined): string {
  if (error instanceof Late) return error.message;
  if (signal?.aborted) return "stopped, since the caller's own time is over";
  if (!(error instanceof Error)) return `no answer (${String(error)})`;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const known = REASONS[code];
  if (known !== undefined) return `${known} (${code})`;
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(code)) {
    return `the server's certificate is not trusted (${code}); check certificate-authority-data in the kubeconfig`;
  }
  return `the connection broke before the whole answer was here (${code}: ${error.message})`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at the server's address; check server in the kubeconfig",
  ENOTFOUND: "the server's name is not known; check server in the kubeconfig",
  EAI_AGAIN: "the server's name cannot be looked up now",
};
