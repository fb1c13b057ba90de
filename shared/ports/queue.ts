/**
 * Message queues. `send` batches by ten, sends entries that failed again alone (up to three times in all), and
 * returns those that still failed: an entry is either accepted or named. Queues go by their name in the topology.
 * Throws only `PortFault`.
 */
export interface QueuePort {
  send(queue: string, messages: readonly Message[]): Promise<readonly FailedMessage[]>;
}

export interface Message {
  readonly body: string;
  /** Standard queues only, 0..900. */
  readonly delaySeconds?: number;
  /** FIFO queues only, at most 128 characters (B92); `shortId` makes one of any text. */
  readonly groupId?: string;
  readonly deduplicationId?: string;
}

export interface FailedMessage {
  readonly message: Message;
  readonly reason: string;
}
