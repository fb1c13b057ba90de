import type { Clock, Ids } from "#ports/clock";
import type { Log } from "#ports/log";
import type { QueuePort } from "#ports/queue";
import type { TablePort } from "#ports/table";
import type { RouteMemory } from "./memory.ts";

/** What `route` needs of the world. It talks to no hub. */
export interface RouteDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly table: TablePort;
  readonly queue: QueuePort;
  /** Of this environment; absent: each invocation begins with nothing. */
  readonly memory?: RouteMemory;
  /** The names of the hubs that we work for. */
  readonly hubs: readonly string[];
}
