import { memoryClock } from "#adapters/memory/clock";
import { memoryQueue } from "#adapters/memory/queue";
import { PortFault, type PortFaultKind } from "#ports/fault";
import { START_MS } from "#test/contract/aws-endpoint";
import { queueContract } from "#test/contract/queue.contract";

queueContract("memory", async () => {
  const clock = memoryClock(START_MS);
  const refusals = new Map<string, number>();
  let fault: PortFaultKind | undefined;
  let lose = false;
  const queue = memoryQueue({
    clock,
    queues: { standard: { fifo: false }, ordered: { fifo: true } },
    refuse(_queue, { body }) {
      const left = refusals.get(body) ?? 0;
      refusals.set(body, left - 1);
      return left > 0 ? "InternalError: refused by the test" : undefined;
    },
    interrupt(when) {
      if (when === "before" && fault !== undefined) throw new PortFault(fault, "send");
      if (when === "after" && lose) {
        lose = false;
        throw new PortFault("unavailable", "send: the answer was lost");
      }
    },
  });
  return {
    queue,
    clock,
    take: (name) => queue.take(name),
    refuse(bodies, times) {
      for (const body of bodies) refusals.set(body, times);
    },
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
