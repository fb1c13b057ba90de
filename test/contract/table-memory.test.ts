import { memoryClock } from "#adapters/memory/clock";
import { memoryTable } from "#adapters/memory/table";
import { PortFault, type PortFaultKind } from "#ports/fault";
import { START_MS } from "#test/contract/aws-endpoint";
import { tableContract } from "#test/contract/table.contract";

tableContract("memory", async () => {
  const clock = memoryClock(START_MS);
  let fault: PortFaultKind | undefined;
  let lose = false;
  const table = memoryTable({
    clock,
    interrupt(operation, when) {
      if (when === "before" && fault !== undefined) throw new PortFault(fault, operation);
      if (when === "after" && lose) {
        lose = false;
        throw new PortFault("unavailable", `${operation}: the answer was lost`);
      }
    },
  });
  return {
    table,
    clock,
    loseAnswer() {
      lose = true;
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
