import { groupBy } from "#domain/units/group";
import type { BusEvent, BusPort } from "#ports/bus";
import type { Telemetry } from "#ports/telemetry";
import { NO_HUB } from "#wire/parked";

/**
 * The same bus, which counts by hub the events that it still refuses after its own retries (`EventsRefused`, B91), each
 * time that it does. Where a put throws, all of it counts.
 */
export function countRefusals(bus: BusPort, telemetry: Telemetry): BusPort {
  function count(events: readonly BusEvent[]): void {
    for (const [hub, refused] of groupBy(events, hubOf)) {
      telemetry.record({ hub }, { EventsRefused: refused.length });
    }
  }

  return {
    async put(events) {
      try {
        const failed = await bus.put(events);
        count(failed.map(({ event }) => event));
        return failed;
      } catch (error) {
        count(events);
        throw error;
      }
    },
  };
}

function hubOf({ detail }: BusEvent): string {
  return "hub" in detail && typeof detail.hub === "string" ? detail.hub : NO_HUB;
}
