/**
 * Which decisions are kept with all that they were computed from: those that say something new (`changes`), all, or the
 * new ones and every so many-th evaluation of an object.
 */
export type LedgerChoice = "changes" | "all" | { readonly sampleEvery: number };
