import { shortId } from "#domain/units/short-id";
import type { Turn } from "#domain/work/turn";
import type { Condition, Item, Key } from "#ports/table";
import { type ObjectId, objectPartition, SEEN, seenPartition, TURN } from "./keys.ts";

/** Long after the longest floor it says nothing more. */
const TURN_TTL_SECONDS = 3_600;
/** Copies of an event come within seconds of each other, or when a relay took over from another. */
const SEEN_TTL_SECONDS = 600;

/** A turn with the version it is stored under; 0 while there is none. */
export interface StoredTurn {
  readonly version: number;
  readonly turn?: Turn;
}

/** The item that replaces `former`'s version; `writeId` makes its effect single. */
export function encodeTurn(id: ObjectId, turn: Turn, former: StoredTurn, writeId: string): Item {
  const { sentMs, eventId, as, pending } = turn;
  const ttl = Math.ceil((pending?.untilMs ?? sentMs) / 1000) + TURN_TTL_SECONDS;
  const version = former.version + 1;
  return {
    pk: objectPartition(id),
    sk: TURN,
    sentMs,
    eventId,
    as,
    ...(pending && { pending }),
    ttl,
    version,
    writeId,
  };
}

/** Holds while the stored turn is still `former`. */
export function replacesTurn({ version }: StoredTurn): Condition {
  return version === 0 ? { if: "absent" } : { if: "version", is: version };
}

export function decodeTurn(item: Item | undefined): StoredTurn {
  if (typeof item?.sentMs !== "number") return { version: item?.version ?? 0 };
  const { sentMs, eventId, as, pending } = item as unknown as Turn;
  return { version: item.version ?? 0, turn: { sentMs, eventId, as, ...(pending && { pending }) } };
}

/** An id may be longer than a key. */
export function seenKey(hub: string, eventId: string): Key {
  return { pk: seenPartition(hub, shortId(eventId)), sk: SEEN };
}

/** The mark of an event that was dealt with, so that its copies are known for ten minutes. */
export function encodeSeen(hub: string, eventId: string, nowMs: number): Item {
  return { ...seenKey(hub, eventId), ttl: Math.ceil(nowMs / 1000) + SEEN_TTL_SECONDS };
}
