import { utf8Length } from "#domain/units/utf8";
import type { BusEvent, BusPort } from "#ports/bus";

const ATTEMPTS = 3;
const MAX_DETAIL_BYTES = 256 * 1024;

export interface MemoryBus extends BusPort {
  /** What the bus accepted, in order, and forgets it. */
  take(): readonly BusEvent[];
}

export interface MemoryBusOptions {
  /** Asked at each attempt: why this event is refused now, or undefined. */
  readonly refuse?: (event: BusEvent) => string | undefined;
  /** Called before a put has effect and after: what it throws is what the caller sees. */
  readonly interrupt?: (when: "before" | "after") => void;
}

/** The reference bus. */
export function memoryBus(options: MemoryBusOptions = {}): MemoryBus {
  const { refuse = () => undefined, interrupt = () => {} } = options;
  let accepted: BusEvent[] = [];

  function refusal(event: BusEvent): string | undefined {
    if (utf8Length(JSON.stringify(event.detail)) > MAX_DETAIL_BYTES) return "the event is too large";
    let reason: string | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      reason = refuse(event);
      if (reason === undefined) return undefined;
    }
    return reason;
  }

  return {
    async put(events) {
      interrupt("before");
      const failed = events.flatMap((event) => {
        const reason = refusal(event);
        if (reason !== undefined) return { event, reason };
        accepted.push({ ...event, detail: JSON.parse(JSON.stringify(event.detail)) as object });
        return [];
      });
      interrupt("after");
      return failed;
    },
    take() {
      const events = accepted;
      accepted = [];
      return events;
    },
  };
}
