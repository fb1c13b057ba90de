import { delaySeconds, slotsAhead } from "#domain/work/slots";
import type { Clock } from "#ports/clock";
import { PortFault } from "#ports/fault";
import type { QueuePort } from "#ports/queue";
import type { SlotMessage } from "#wire/work";

export interface TickDeps {
  readonly clock: Clock;
  readonly queue: QueuePort;
  readonly hubs: readonly string[];
  readonly syncPeriodSeconds: number;
}

/** Two minutes, so that one lost minute event loses no slot; what overlaps is dropped by the sweep's mark. */
const AHEAD_SECONDS = 120;

/**
 * Sends, for each hub, a message for every slot of the coming two minutes, delayed to its instant on the wall clock.
 * Returns how many; `unavailable` when some were not accepted (the next minute sends them again).
 */
export async function tick(deps: TickDeps): Promise<{ sent: number }> {
  const nowMs = deps.clock.nowMs();
  const slots = slotsAhead(nowMs, AHEAD_SECONDS, deps.syncPeriodSeconds);
  const messages = deps.hubs.flatMap((hub) =>
    slots.map((slotMs) => ({
      body: JSON.stringify({ v: 1, kind: "slot", hub, slotMs } satisfies SlotMessage),
      delaySeconds: delaySeconds(nowMs, slotMs),
    })),
  );
  const failed = await deps.queue.send("sweep", messages);
  if (failed.length > 0) {
    const [first] = failed;
    throw new PortFault(
      "unavailable",
      `send slot messages to the sweep queue: ${failed.length} of ${messages.length} not accepted (${first?.reason})`,
    );
  }
  return { sent: messages.length };
}
