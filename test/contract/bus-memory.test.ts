import { memoryBus } from "#adapters/memory/bus";
import { PortFault, type PortFaultKind } from "#ports/fault";
import { busContract } from "#test/contract/bus.contract";

busContract("memory", async () => {
  const refusals = new Map<string, number>();
  let fault: PortFaultKind | undefined;
  const bus = memoryBus({
    refuse({ source }) {
      const left = refusals.get(source) ?? 0;
      refusals.set(source, left - 1);
      return left > 0 ? "InternalFailure: refused by the test" : undefined;
    },
    interrupt(when) {
      if (when === "before" && fault !== undefined) throw new PortFault(fault, "put");
    },
  });
  return {
    bus,
    arrived: () => bus.take(),
    refuse(sources, times) {
      for (const source of sources) refusals.set(source, times);
    },
    throttle() {
      fault = "throttled";
    },
    cut() {
      fault = "unavailable";
    },
    async close() {},
  };
});
