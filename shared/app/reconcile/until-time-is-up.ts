import { PortFault } from "#ports/fault";
import type { Hub, ReconcileDeps } from "./deps.ts";

/**
 * The ports for work that an invocation gives up when its time is up: from then on they write nothing. What is given up
 * goes on by itself, if only minutes later, when the frozen environment runs again: by then others have decided, and a
 * scale that it sent would land long after its intent was taken for lost.
 */
export function untilTimeIsUp(
  deps: ReconcileDeps,
  hub: Hub,
  signal: AbortSignal,
): { readonly deps: ReconcileDeps; readonly hub: Hub } {
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
