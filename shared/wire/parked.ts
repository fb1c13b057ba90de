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

const RETENTION_SECONDS = 90 * 24 * 3600;

export function encodeParked(parked: Parked): Item {
  const { hub, ...rest } = parked;
  return {
    pk: parkedPartition(hub),
    sk: parkedSortKey(parked.atMs, parked.messageId),
    ttl: Math.floor(parked.atMs / 1000) + RETENTION_SECONDS,
    ...rest,
  };
}

/** The hub that a body names; `-` where it cannot be read, so that unreadable messages are found in one place too. */
export function hubOf(body: string): string {
  try {
    const { hub } = JSON.parse(body) as { hub?: unknown };
    return typeof hub === "string" && hub !== "" ? hub : "-";
  } catch {
    return "-";
  }
}
