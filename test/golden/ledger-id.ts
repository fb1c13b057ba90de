/** The number of an entry in `docs/parity.md`. */
export type LedgerId = `D-${number}`;
