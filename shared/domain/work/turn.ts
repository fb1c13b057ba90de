/**
 * When one FederatedHPA was last evaluated because of an event, and whether it is about to be again: events that come
 * thick are evaluated at most once in its floor, the first at once and the last when the floor has passed.
 */
export interface Turn {
  /** When its evaluation was last sent for, because of which event, and under which id. */
  readonly sentMs: number;
  readonly eventId: string;
  readonly as: string;
  /** An evaluation is on its way for then; whatever comes until then is seen by it. */
  readonly pending?: { readonly untilMs: number; readonly eventId: string };
}

export type TurnStep =
  /** Store `turn`, then send for the evaluation under its id. */
  | { readonly do: "send"; readonly turn: Turn }
  /** Store `turn`, then let the later message come at `turn.pending.untilMs`. */
  | { readonly do: "wait"; readonly turn: Turn & Required<Pick<Turn, "pending">> }
  /**
   * What sent has come again, the same message or another copy of the event, and maybe it died before it did: send again,
   * and the queue drops a second one.
   */
  | { readonly do: "send-again"; readonly as: string }
  /** The event that waits has come again, maybe because its later message was never sent: send that again. */
  | { readonly do: "wait-again"; readonly pending: Required<Turn>["pending"] }
  /** What is pending sees this event too. */
  | { readonly do: "nothing" };

/** An event as it comes; `isRedelivered`: an invocation may have died on this very message. */
export interface Arrival {
  readonly eventId: string;
  readonly isRedelivered: boolean;
  readonly nowMs: number;
}

/**
 * What an event means for an object whose turn was `former`. Two sends are never less than `floorMs` apart by the clock
 * that says `nowMs`, and after every event there is a send at or after it, at most `floorMs` later. A turn in the future
 * is no turn: the clock that wrote it was wrong.
 *
 * @example floor 3000: the first event at 0 sends; 1000 waits until 3000; 2000 nothing; the later message at 3000 sends.
 */
export function onEvent(former: Turn | undefined, arrival: Arrival, floorMs: number): TurnStep {
  const { eventId, nowMs } = arrival;
  const isKnown = former !== undefined && former.sentMs <= nowMs + floorMs;
  if (!isKnown) return { do: "send", turn: { sentMs: nowMs, eventId, as: eventId } };
  const { sentMs, pending } = former;
  if (former.eventId === eventId) return { do: "send-again", as: former.as };
  if (pending !== undefined && pending.untilMs > nowMs) {
    return pending.eventId === eventId ? { do: "wait-again", pending } : { do: "nothing" };
  }
  if (nowMs - sentMs >= floorMs) {
    const as = pending === undefined ? eventId : laterId(pending.eventId);
    return { do: "send", turn: { sentMs: nowMs, eventId, as } };
  }
  return {
    do: "wait",
    turn: { ...former, pending: { untilMs: sentMs + floorMs, eventId } },
  };
}

/**
 * What the later message of an event, due at `untilMs`, means: nothing where another event came first after the floor, and
 * was sent for or waits in its turn.
 */
export function onLater(former: Turn | undefined, arrival: Arrival, untilMs: number): TurnStep {
  const { eventId, isRedelivered, nowMs } = arrival;
  const as = laterId(eventId);
  const isPast =
    former !== undefined && (former.sentMs >= untilMs || (former.pending?.untilMs ?? untilMs) > untilMs);
  // A clock that is behind has not seen the floor end, which the queue has: a second copy must find it past.
  if (!isPast) return { do: "send", turn: { sentMs: Math.max(nowMs, untilMs), eventId, as } };
  return isRedelivered ? { do: "send-again", as } : { do: "nothing" };
}

/** Of the evaluation at the end of the floor: another than the event's own, which may have been sent before. */
function laterId(eventId: string): string {
  return `${eventId}~later`;
}
