/**
 * What the queues hold, and how one entry of their journal changes it. Every change is decided elsewhere, written to
 * the journal as an entry and applied here, so that a restart replays exactly what was acknowledged.
 */

export interface QueueMessage {
  readonly id: string;
  /** Its place in the queue. */
  readonly sequence: number;
  readonly body: string;
  readonly sentAtMs: number;
  readonly groupId?: string;
  readonly deduplicationId?: string;
  /** The queue it was in before it was given up there. */
  readonly deadLetterOf?: string;
  /** Received so often, in all queues it was in. */
  readonly receives: number;
  /** Received so often here: what counts against `maxReceives`. */
  readonly receivesHere: number;
  readonly firstReceivedAtMs?: number;
  /** Not handed out before this instant. */
  readonly visibleAtMs: number;
}

export type QueueEntry = { readonly queue: string; readonly atMs: number } & (
  | { readonly kind: "message"; readonly message: QueueMessage }
  | { readonly kind: "received"; readonly ids: readonly string[]; readonly visibleAtMs: number }
  | { readonly kind: "hidden"; readonly id: string; readonly visibleAtMs: number }
  | { readonly kind: "deleted"; readonly ids: readonly string[] }
  /** Given up: out of its queue and into the other, in one entry, so that a crash can neither lose nor double it. */
  | { readonly kind: "moved"; readonly id: string; readonly to: string; readonly sequence: number }
  | { readonly kind: "deduplication"; readonly id: string; readonly sent: SentBefore }
  | { readonly kind: "sequence"; readonly next: number }
);

/** What a FIFO queue answers when a de-duplication id comes again. */
export interface SentBefore {
  readonly messageId: string;
  readonly sequence: number;
  readonly atMs: number;
}

export const DEDUPLICATION_MS = 300_000;

export class QueueState {
  /** In the order in which they were sent. */
  readonly messages = new Map<string, QueueMessage>();
  readonly deduplication = new Map<string, SentBefore>();
  nextSequence = 1;
}

export type QueueStates = ReadonlyMap<string, QueueState>;

/** Changes the states as the entry says; entries of queues that are no longer there change nothing. */
export function applyEntry(states: QueueStates, entry: QueueEntry): void {
  const state = states.get(entry.queue);
  if (state === undefined) return;
  switch (entry.kind) {
    case "message": {
      const { message } = entry;
      state.messages.set(message.id, message);
      state.nextSequence = Math.max(state.nextSequence, message.sequence + 1);
      if (message.deduplicationId !== undefined && message.deadLetterOf === undefined) {
        remember(state, message.deduplicationId, {
          messageId: message.id,
          sequence: message.sequence,
          atMs: message.sentAtMs,
        });
      }
      return;
    }
    case "received":
      for (const id of entry.ids) {
        change(state, id, (message) => ({
          ...message,
          receives: message.receives + 1,
          receivesHere: message.receivesHere + 1,
          firstReceivedAtMs: message.firstReceivedAtMs ?? entry.atMs,
          visibleAtMs: entry.visibleAtMs,
        }));
      }
      return;
    case "hidden":
      change(state, entry.id, (message) => ({ ...message, visibleAtMs: entry.visibleAtMs }));
      return;
    case "deleted":
      for (const id of entry.ids) state.messages.delete(id);
      return;
    case "moved": {
      const message = state.messages.get(entry.id);
      const target = states.get(entry.to);
      state.messages.delete(entry.id);
      if (message === undefined || target === undefined) return;
      target.messages.set(message.id, {
        ...message,
        sequence: entry.sequence,
        deadLetterOf: entry.queue,
        receivesHere: 0,
        visibleAtMs: entry.atMs,
      });
      target.nextSequence = Math.max(target.nextSequence, entry.sequence + 1);
      return;
    }
    case "deduplication":
      remember(state, entry.id, entry.sent);
      return;
    case "sequence":
      state.nextSequence = Math.max(state.nextSequence, entry.next);
  }
}

/** Keeps the oldest first, and forgets what nobody can ask for any more. */
function remember({ deduplication }: QueueState, id: string, sent: SentBefore): void {
  deduplication.delete(id);
  deduplication.set(id, sent);
  for (const [oldest, { atMs }] of deduplication) {
    if (sent.atMs - atMs < DEDUPLICATION_MS) return;
    deduplication.delete(oldest);
  }
}

function change(state: QueueState, id: string, to: (message: QueueMessage) => QueueMessage): void {
  const message = state.messages.get(id);
  if (message !== undefined) state.messages.set(id, to(message));
}

/** The shortest journal that gives these states. */
export function* entriesOf(states: QueueStates, atMs: number): Generator<QueueEntry> {
  for (const [queue, state] of states) {
    for (const message of state.messages.values()) yield { kind: "message", queue, atMs, message };
    for (const [id, sent] of state.deduplication) {
      if (atMs - sent.atMs < DEDUPLICATION_MS) yield { kind: "deduplication", queue, atMs, id, sent };
    }
    yield { kind: "sequence", queue, atMs, next: state.nextSequence };
  }
}

/** Whether it was handed out and is not back yet. */
export function isInFlight(message: QueueMessage, nowMs: number): boolean {
  return message.receivesHere > 0 && message.visibleAtMs > nowMs;
}
