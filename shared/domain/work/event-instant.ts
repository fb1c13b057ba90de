/** How far ahead of the clock an instant may be: clocks differ by a little. */
const AHEAD_MS = 5_000;
/** What waited longer has been overtaken by slots, and only means "evaluate now". */
const OLD_MS = 60_000;

/**
 * The logical now of an evaluation that an event asked for: when its message was sent, by the queue's clock; the clock's
 * now where that is more than 5 s ahead, or more than 60 s ago (design 1, "Logical time"). One millisecond on, so that a
 * slot of this very instant, which may have read what was there before the event, does not make it stale.
 *
 * @example clock 100,000: sent 99,000 → 99,001; sent 105,001 → 100,001; sent 39,999 → 100,001.
 */
export function eventInstant(sentAtMs: number, nowMs: number): number {
  return (sentAtMs > nowMs + AHEAD_MS || sentAtMs < nowMs - OLD_MS ? nowMs : sentAtMs) + 1;
}
