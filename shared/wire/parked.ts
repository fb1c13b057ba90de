import type { Item } from "#ports/table";
import { parkedPartition, parkedSortKey } from "#wire/keys";

/** A message that could not be worked: kept for people, with the reason, for 90 days. */
export interface Parked {
  readonly hub: string;
  readonly queue: string;
  readonly messageId: string;
  readonly body: string;
  readonly cause: string;
  readonly receiveCount: number;
  readonly groupId?: string;
  readonly atMs: number;
}

/** A parked message as it is kept, with what became of it since. */
export interface KeptMessage extends Parked {
  readonly version: number;
  readonly redrive?: Redrive;
}

/** It was sent again, or is about to be; `id` is what its queue de-duplicates by. */
export interface Redrive {
  readonly id: string;
  readonly atMs: number;
  /** False while nobody knows whether the queue took it. */
  readonly sent: boolean;
}

const RETENTION_SECONDS = 90 * 24 * 3600;

export function encodeParked(parked: Parked): Item {
  const { hub, ...rest } = parked;
  return {
    pk: parkedPartition(hub),
    sk: parkedSortKey(parked.atMs, parked.messageId),
    ttl: Math.floor(parked.atMs / 1000) + RETENTION_SECONDS,
    version: 1,
    ...rest,
  };
}

export function decodeParked(hub: string, item: Item): KeptMessage {
  const { pk: _pk, sk: _sk, ttl: _ttl, writeId: _writeId, version = 1, ...rest } = item;
  return { hub, ...(rest as unknown as Omit<Parked, "hub">), version };
}

/** The item that replaces `kept`'s version with what is known of its redrive. */
export function encodeRedrive(kept: KeptMessage, redrive: Redrive, writeId: string): Item {
  const { version, ...parked } = kept;
  return { ...encodeParked(parked), redrive, version: version + 1, writeId };
}

/** The partition of messages that name no hub. */
export const NO_HUB = "-";

/** The hub that a body names; `NO_HUB` where it cannot be read, so that unreadable messages are found in one place too. */
export function hubOf(body: string): string {
  try {
    const { hub } = JSON.parse(body) as { hub?: unknown };
    return typeof hub === "string" && hub !== "" ? hub : NO_HUB;
  } catch {
    return NO_HUB;
  }
}
