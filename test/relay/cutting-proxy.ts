import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dice } from "#test/storm/chance";

export interface CuttingProxy {
  readonly url: string;
  /** What the proxy takes as `Authorization: Bearer`; another value answers 401. */
  token: string;
  /** In [0, 1): how often an answer is cut at some byte; half of those fall silent instead. */
  cut: number;
  readonly counts: { cut: number; silent: number; refused: number };
  /** Breaks every connection, as a server that restarts. */
  breakAll(): void;
  close(): Promise<void>;
}

const LONGEST = 2_000;

/** A proxy in front of an API server: it checks the token, and cuts answers at any byte. */
export async function cuttingProxy(target: string, chance: Dice): Promise<CuttingProxy> {
  const counts = { cut: 0, silent: 0, refused: 0 };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${proxy.token}`) {
      counts.refused += 1;
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "Status", code: 401, message: "Unauthorized" }));
      return;
    }
    const onward = httpRequest(`${target}${request.url}`, {
      method: request.method,
      headers: request.headers,
    });
    onward.on("response", (answer) => pass(answer, response));
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });

  function pass(answer: IncomingMessage, response: ServerResponse): void {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    response.flushHeaders();
    answer.on("error", () => response.destroy());
    if (!chance.happens(proxy.cut)) {
      answer.pipe(response);
      return;
    }
    let left = chance.whole(0, LONGEST);
    const isSilent = chance.happens(0.5);
    answer.on("data", (bytes: Buffer) => {
      if (left >= bytes.length) response.write(bytes);
      else if (left > 0) response.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      answer.removeAllListeners("data");
      if (isSilent) counts.silent += 1;
      else {
        counts.cut += 1;
        response.destroy();
      }
    });
    answer.on("end", () => response.end());
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "first",
    cut: 0,
    counts,
    breakAll: () => server.closeAllConnections(),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}
