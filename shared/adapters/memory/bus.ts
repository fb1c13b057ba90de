import type { BusEvent, BusPort } from "#ports/bus";

const ATTEMPTS = 3;

export interface MemoryBus extends BusPort {
  /** What the bus accepted, in order, and forgets it. */
  take(): readonly BusEvent[];
}

/** The reference bus; `refuse` is asked at each attempt why this entry is refused now. */
export function memoryBus(refuse: (event: BusEvent) => string | undefined = () => undefined): MemoryBus {
  let accepted: BusEvent[] = [];

  function refusal(event: BusEvent): string | undefined {
    let reason: string | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      reason = refuse(event);
      if (reason === undefined) return undefined;
    }
    return reason;
  }

  return {
    async put(events) {
      return events.flatMap((event) => {
        const reason = refusal(event);
        if (reason !== undefined) return { event, reason };
        accepted.push({ ...event, detail: JSON.parse(JSON.stringify(event.detail)) as object });
        return [];
      });
    },
    take() {
      const events = accepted;
      accepted = [];
      return events;
    },
  };
}
