const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/**
 * How long to wait before the next try: doubled with each failure in a row from 250 ms to 15 s, and of that a share
 * between a half and the whole, so that many who were cut off together do not come back together. `chance` is in [0, 1).
 */
export function backOffMs(failures: number, chance: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return Math.round(whole * (0.5 + chance / 2));
}
