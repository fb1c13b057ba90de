import type { BusEvent, BusPort } from "#ports/bus";
import { isPortFault } from "#ports/fault";
import type { Log } from "#ports/log";

/** Puts events on the bus. What the bus does not take is logged: nothing that was done is undone for it. */
export async function publish(
  { bus, log }: { readonly bus: BusPort; readonly log: Log },
  ...events: readonly BusEvent[]
): Promise<void> {
  if (events.length === 0) return;
  const missed = ({ detailType, detail }: BusEvent, fault: string) =>
    log.warn("event not published; who waits for it does not hear of this", { detailType, ...detail, fault });
  try {
    for (const { event, reason } of await bus.put(events)) missed(event, reason);
  } catch (error) {
    if (!isPortFault(error)) throw error;
    for (const event of events) missed(event, error.message);
  }
}
