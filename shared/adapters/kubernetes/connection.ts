import { isDeepStrictEqual } from "node:util";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { Access } from "./kubeconfig.ts";

/** The pools of sockets to one server. Requests and watches have one each, so that no watch holds up a read. */
export interface Connection {
  readonly access: Access;
  readonly origin: string;
  /** The server's own path prefix, without a slash at its end. */
  readonly prefix: string;
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
  /** Takes nothing new; what is in flight, watches too, goes on to its end. */
  retire(): Promise<void>;
  /** Cuts the watches; ends when the requests in flight have ended. */
  close(): Promise<void>;
}

export interface PoolSettings {
  readonly connections: number;
  readonly connectMs: number;
}

/**
 * Idle sockets are dropped sooner than any server does it: a request on a socket that was dead already would leave a
 * write's fate unknown.
 */
const KEEP_ALIVE_MS = 4_000;

/** A connection for this access; where only the headers differ (a new token), on the sockets of the old one. */
export function connect(access: Access, settings: PoolSettings, old?: Connection): Connection {
  if (old !== undefined && isDeepStrictEqual(endpoint(old.access), endpoint(access)))
    return { ...old, access };
  void old?.retire();
  const server = new URL(access.server);
  const requests = pool(access, settings);
  const watches = pool(access, settings);
  return {
    access,
    origin: server.origin,
    prefix: server.pathname.replace(/\/$/, ""),
    requests,
    watches,
    retire: async () => {
      await Promise.all([requests.close(), watches.close()]);
    },
    close: async () => {
      await Promise.all([requests.close(), watches.destroy()]);
    },
  };
}

const endpoint = ({ server, tls, proxyUrl }: Access) => ({ server, tls, proxyUrl });

function pool(access: Access, { connections, connectMs }: PoolSettings): Dispatcher {
  const common = {
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Every request has a deadline of its own, which covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return access.proxyUrl === undefined
    ? new Agent({ ...common, connect: { ...access.tls, timeout: connectMs } })
    : new ProxyAgent({ ...common, uri: access.proxyUrl, requestTls: access.tls });
}
