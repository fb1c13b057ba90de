import { PortFault } from "#ports/fault";
import type { Hub, ReconcileDeps } from "./deps.ts";

/** What an evaluation works with until its invocation's time is up. */
export interface Timely {
  readonly deps: ReconcileDeps;
  readonly hub: Hub;
  /** What was read, unless the time is up by then. */
  readonly reads: <T>(read: Promise<T>) => Promise<T>;
}

/**
 * For work that an invocation gives up when its time is up: from then on it writes nothing, and decides nothing from what
 * it reads. What is given up goes on by itself, if only minutes later, when the frozen environment runs again: by then
 * others have decided, and a scale that it sent would land long after its intent was taken for lost; and an object that
 * kills whatever evaluates it would kill another invocation, which tries somebody else (storm seed 609).
 */
export function untilTimeIsUp(deps: ReconcileDeps, hub: Hub, signal: AbortSignal): Timely {
  function timely<A extends unknown[], T>(
    what: string,
    write: (...given: A) => Promise<T>,
  ): (...given: A) => Promise<T> {
    return async (...given) => {
      if (signal.aborted)
        throw new PortFault("unavailable", `${what}: not sent, the invocation's time is up`);
      return write(...given);
    };
  }
  const { table, bus } = deps;
  const { port } = hub;
  return {
    async reads(read) {
      const value = await read;
      if (signal.aborted) throw new PortFault("unavailable", "read too late: the invocation's time is up");
      return value;
    },
    deps: {
      ...deps,
      table: { ...table, put: timely("put an item", (...given) => table.put(...given)) },
      bus: { put: timely("put an event", (...given) => bus.put(...given)) },
    },
    hub: {
      ...hub,
      port: {
        ...port,
        updateScale: timely("update scale", (...given) => port.updateScale(...given)),
        mergePatch: timely("patch an object", (...given) => port.mergePatch(...given)),
        create: timely("create an object", (...given) => port.create(...given)),
      },
    },
  };
}
