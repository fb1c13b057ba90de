import type { IncomingMessage } from "node:http";

/**
 * Why a request is refused; undefined for one that may go on.
 *
 * The page is for this machine's own browser at this address. Another name in `Host` means that somebody's name was
 * pointed here (DNS rebinding); a request that changes something must come from the page itself, which its browser says
 * in `Origin`. It always does for POST.
 */
export function refusalOf({ headers, method }: IncomingMessage, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = "", origin } = headers;
  if (!hosts.includes(host)) return `this page answers at ${hosts.join(" and ")}, not at ${host}`;
  const isOwn = origin === `http://${host}`;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead) return origin === undefined || isOwn ? undefined : `${origin} may not read this page`;
  if (!isOwn) return "only the page itself may change something";
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin"
    ? undefined
    : "only the page itself may change something";
}
