import type { Log } from "#ports/log";
import type { RelayDeps } from "./deps.ts";

/** Logs what people look for afterwards: who held the lease, what was published, what was in the way. */
export function logRelay(log: Log, hub: string): RelayDeps["tell"] {
  return (event) => {
    const { kind, ...fields } = event;
    if (kind === "fault") log.warn("relay hindered", { hub, ...fields });
    else if (kind === "holding" || kind === "published") log.info(`relay ${kind}`, { hub, ...fields });
  };
}
