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

/**
 * The hub that a body names, or the detail of the event in it; `NO_HUB` where it cannot be read, so that unreadable
 * messages are found in one place too.
 */
export function hubOf(body: string): string {
  const { hub, detail } = fieldsOf(body);
  const named = hub ?? (detail as { hub?: unknown } | null | undefined)?.hub;
  return typeof named === "string" && named !== "" ? named : NO_HUB;
}

const QUEUES: Readonly<Record<string, string>> = {
  slot: "sweep",
  cron: "cron",
  shard: "reconcile",
  object: "reconcile",
  event: "reconcile",
  later: "route",
};

/** The queue, by its name in the topology, that a body belongs on; undefined where that cannot be told. */
export function queueOf(body: string): string | undefined {
  const fields = fieldsOf(body);
  return "detail-type" in fields ? "route" : QUEUES[String(fields.kind)];
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
