/**
 * Slots are the instants of the periodic work: the multiples of the sync period since the epoch. Windows and policies
 * see the slot, never the wall clock, so that jitter cannot block every other step (semantics 4.12).
 */

/** The first slot at or after `nowMs`. */
export function nextSlot(nowMs: number, periodSeconds: number): number {
  const periodMs = periodSeconds * 1000;
  return Math.ceil(nowMs / periodMs) * periodMs;
}

/** Every slot in [nowMs, nowMs + aheadSeconds), ascending. */
export function slotsAhead(nowMs: number, aheadSeconds: number, periodSeconds: number): number[] {
  const endMs = nowMs + aheadSeconds * 1000;
  const slots: number[] = [];
  for (let slot = nextSlot(nowMs, periodSeconds); slot < endMs; slot += periodSeconds * 1000)
    slots.push(slot);
  return slots;
}

/** Whole seconds from now to the instant, rounded up so that work is never early; 0 for the past. */
export function delaySeconds(nowMs: number, instantMs: number): number {
  return Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

/** Whether periodic work comes more than one period after its slot: a later message is behind it (design 1). */
export function isLate(nowMs: number, slotMs: number, periodSeconds: number): boolean {
  return nowMs - slotMs > periodSeconds * 1000;
}

/**
 * The slot that work for `slotMs` is evaluated for: its own, or, more than a period after it, the newest that has begun.
 * What is read then is of now: under an old instant a window would drop it, and a lost cluster's hold end, that much too
 * soon (storm seed 199).
 *
 * @example every 15 s: for 135,000 at 150,000 → 135,000; at 150,001 → 150,000; at 319,000 → 315,000.
 */
export function slotToEvaluate(nowMs: number, slotMs: number, periodSeconds: number): number {
  const periodMs = periodSeconds * 1000;
  return isLate(nowMs, slotMs, periodSeconds) ? Math.floor(nowMs / periodMs) * periodMs : slotMs;
}

/**
 * Whether this slot is the object's turn for work that is spread over several slots: every `turns`-th slot, which one
 * by the object's hash.
 */
export function isTurn(slotMs: number, periodSeconds: number, hash: number, turns: number): boolean {
  return (Math.floor(slotMs / (periodSeconds * 1000)) + hash) % turns === 0;
}
