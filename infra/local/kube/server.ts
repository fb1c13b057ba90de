import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { internalError } from "#sim/api/failure";
import type { Fleet } from "#sim/fleet";
import { answer } from "./answer.ts";
import type { Rights } from "./authorize.ts";
import { refused, send } from "./reply.ts";
import { RequestCounts, type ServedRequest } from "./request-counts.ts";
import type { Timers } from "./watch.ts";

/**
 * The HTTP face of a fleet: the hub's API at the root, each member's behind
 * `/apis/cluster.karmada.io/v1alpha1/clusters/<name>/proxy`, as Karmada's aggregated API server serves it. Plain HTTP,
 * for this machine only.
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
  /** Absent: everyone may do everything. Discovery is open to all, as on a stock API server. */
  readonly rights?: Rights;
}

export interface KubeServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly counts: RequestCounts;
  /** Ends every watch and connection. */
  close(): Promise<void>;
}

/** Listens when it resolves; rejects when the port is taken. */
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
