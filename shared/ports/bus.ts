/** The event bus. `put` batches by ten and by 256 KB, sends failed entries again alone, returns those that still failed (B91). */
export interface BusPort {
  put(events: readonly BusEvent[]): Promise<readonly FailedEvent[]>;
}

export interface BusEvent {
  readonly source: string;
  readonly detailType: string;
  readonly detail: object;
  /** Epoch milliseconds of what happened. */
  readonly atMs: number;
  readonly resources?: readonly string[];
}

export interface FailedEvent {
  readonly event: BusEvent;
  readonly reason: string;
}
