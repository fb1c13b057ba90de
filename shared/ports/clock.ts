/** The wall clock, epoch milliseconds. Only use cases ask it, never a decision (design 1, "Logical time"). */
export interface Clock {
  nowMs(): number;
}

/** Identity and chance: ids for writes and intents. */
export interface Ids {
  /** A fresh id, unique in practice, at most 36 characters. */
  next(): string;
}
