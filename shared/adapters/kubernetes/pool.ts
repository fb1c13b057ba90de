import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import type { Access } from "./kubeconfig.ts";

/** Sockets to one server, kept from one request to the next. */
export interface Pool {
  /** The answer up to its headers. Rejects with the signal's reason when it aborts, else with what the socket says. */
  request(asked: Asked): Promise<IncomingMessage>;
  /** Keeps no socket any more; what is in flight goes on to its end. */
  retire(): void;
  /** Retires; ends when what is in flight has ended. */
  drain(): Promise<void>;
  /** Cuts what is in flight. */
  destroy(): void;
}

export interface Asked {
  /** Path and query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
}

/**
 * Idle sockets are dropped sooner than any server does it: a request on a socket that was dead already would leave a
 * write's fate unknown.
 */
const KEEP_ALIVE_MS = 4_000;

/** At most `connections` sockets; requests beyond them wait. */
export function pool({ server, tls, proxyUrl }: Access, connections: number): Pool {
  const { origin, protocol } = new URL(server);
  const isPlain = protocol === "http:";
  const request = isPlain ? httpRequest : httpsRequest;
  const common = { keepAlive: true, maxSockets: connections, timeout: KEEP_ALIVE_MS };
  const agent = agentFor();
  const inFlight = new Set<Promise<void>>();

  function agentFor(): HttpAgent {
    if (proxyUrl === undefined) {
      return isPlain ? new HttpAgent(common) : new HttpsAgent({ ...common, ...tls });
    }
    return isPlain
      ? new HttpProxyAgent({ ...common, proxy: proxyUrl })
      : new HttpsProxyAgent({ ...common, ...tls, proxy: proxyUrl });
  }

  function retire(): void {
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  return {
    request({ body, signal, ...asked }) {
      const options: RequestOptions = { ...asked, agent, signal };
      const sent = request(origin, options);
      const over = new Promise<void>((resolve) => sent.once("close", resolve)).then(() => {
        inFlight.delete(over);
      });
      inFlight.add(over);
      return new Promise((resolve, reject) => {
        sent.once("response", resolve);
        sent.on("error", (error) => reject(signal.aborted ? signal.reason : error));
        sent.end(body);
      });
    },
    retire,
    async drain() {
      retire();
      await Promise.all(inFlight);
    },
    destroy: () => agent.destroy(),
  };
}
