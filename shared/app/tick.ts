import { delaySeconds, slotsAhead } from "#domain/work/slots";
import type { Clock } from "#ports/clock";
import { PortFault } from "#ports/fault";
import type { FailedMessage, QueuePort } from "#ports/queue";
import type { CronMessage, SlotMessage } from "#wire/work";

export interface TickDeps {
  readonly clock: Clock;
  readonly queue: QueuePort;
  readonly hubs: readonly string[];
  readonly syncPeriodSeconds: number;
}

/** Two minutes, so that one lost minute event loses nothing; what overlaps is dropped by who handles it. */
const AHEAD_SECONDS = 120;
const MINUTE_SECONDS = 60;

/**
 * Sends, for each hub, a message for every slot and every full minute of the coming two minutes, delayed to its instant
 * on the wall clock. Returns how many; `unavailable` when some were not accepted (the next minute sends them again).
 */
export async function tick(deps: TickDeps): Promise<{ sent: number }> {
  const nowMs = deps.clock.nowMs();
  const ahead = (periodSeconds: number, messageAt: (hub: string, atMs: number) => object) =>
    deps.hubs.flatMap((hub) =>
      slotsAhead(nowMs, AHEAD_SECONDS, periodSeconds).map((atMs) => ({
        body: JSON.stringify(messageAt(hub, atMs)),
        delaySeconds: delaySeconds(nowMs, atMs),
      })),
    );
  const slots = ahead(
    deps.syncPeriodSeconds,
    (hub, slotMs) => ({ v: 1, kind: "slot", hub, slotMs }) satisfies SlotMessage,
  );
  const minutes = ahead(
    MINUTE_SECONDS,
    (hub, dueAtMs) => ({ v: 1, kind: "cron", hub, dueAtMs }) satisfies CronMessage,
  );
  const failed = await Promise.all([deps.queue.send("sweep", slots), deps.queue.send("cron", minutes)]);
  const sent = slots.length + minutes.length;
  const [first] = failed.flat() as FailedMessage[];
  if (first !== undefined) {
    throw new PortFault(
      "unavailable",
      `send messages to the sweep and cron queues: ${failed.flat().length} of ${sent} not accepted (${first.reason})`,
    );
  }
  return { sent };
}
