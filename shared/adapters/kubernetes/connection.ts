import { isDeepStrictEqual } from "node:util";
import type { Access } from "./kubeconfig.ts";
import { type Pool, pool } from "./pool.ts";

/** The pools of sockets to one server. Requests and watches have one each, so that no watch holds up a read. */
export interface Connection {
  readonly access: Access;
  /** The server's own path prefix, without a slash at its end. */
  readonly prefix: string;
  readonly requests: Pool;
  readonly watches: Pool;
  /** Cuts the watches; ends when the requests in flight have ended. */
  close(): Promise<void>;
}

/**
 * A connection for this access; where only the headers differ (a new token), on the sockets of the old one. Otherwise
 * the old one keeps no socket any more, and what is in flight there, watches too, goes on to its end.
 */
export function connect(access: Access, connections: number, old?: Connection): Connection {
  if (old !== undefined && isDeepStrictEqual(endpoint(old.access), endpoint(access)))
    return { ...old, access };
  old?.requests.retire();
  old?.watches.retire();
  const requests = pool(access, connections);
  // A watch has its socket for as long as it lives: one that had to wait for another's end would wait for ever.
  const watches = pool(access, Number.POSITIVE_INFINITY);
  return {
    access,
    prefix: new URL(access.server).pathname.replace(/\/$/, ""),
    requests,
    watches,
    close: async () => {
      watches.destroy();
      await requests.drain();
    },
  };
}

const endpoint = ({ server, tls, proxyUrl }: Access) => ({ server, tls, proxyUrl });
