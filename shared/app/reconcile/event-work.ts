import { eventInstant } from "#domain/work/event-instant";
import type { EventMessage, ObjectMessage, ShardMessage } from "#wire/work";

/** One object's own message; `event` where an event asked for it. */
export type ObjectWork = ObjectMessage & {
  readonly event?: {
    readonly id: string;
    /** Whose heartbeat speaks for the object from then on. */
    readonly shard: string;
    /** An evaluation of this instant or a later one has heard it. */
    readonly heardMs: number;
  };
};

/** A message with its instant: an event's is when the queue took it (design 1, "Logical time"). */
export function timed(
  message: ShardMessage | ObjectMessage | EventMessage,
  sentAtMs: number,
  nowMs: number,
): ShardMessage | ObjectWork {
  if (message.kind !== "event") return message;
  const { hub, object, shard, eventId: id } = message;
  const dueAtMs = eventInstant(sentAtMs, nowMs);
  const heardMs = Math.min(dueAtMs, sentAtMs + 1);
  return { v: 1, kind: "object", hub, dueAtMs, object, afterCrash: false, event: { id, shard, heardMs } };
}
