import type { Item } from "#ports/table";
import { failureSortKey, type ObjectId, objectPartition } from "./keys.ts";

/** An evaluation that came to no decision: of all in one minute the first. */
export interface FailureRecord {
  readonly atMs: number;
  /** `failed`, `out-of-time` or `quarantined`. */
  readonly result: string;
  readonly message: string;
  readonly code: string;
}

const MINUTE_MS = 60_000;

/** Its key is the minute, so that the first of a minute is kept where a write asks for `absent`. */
export function encodeFailureRecord(id: ObjectId, record: FailureRecord, retentionSeconds: number): Item {
  const minuteMs = Math.floor(record.atMs / MINUTE_MS) * MINUTE_MS;
  return {
    pk: objectPartition(id),
    sk: failureSortKey(minuteMs),
    ttl: Math.floor(record.atMs / 1000) + retentionSeconds,
    v: 1,
    ...record,
  };
}

export function decodeFailureRecord({ atMs, result, message, code }: Item): FailureRecord {
  return { atMs, result, message, code } as FailureRecord;
}
