import type { Item } from "#ports/table";
import { type ObjectId, objectPartition, scaleSortKey } from "#wire/keys";

/** One scale that happened, or may have; what `history` shows. Its key is the intent, so that it is recorded once. */
export interface ScaleRecord {
  readonly intentId: string;
  readonly atMs: number;
  readonly target: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly outcome: "applied" | "unconfirmed";
}

const RETENTION_SECONDS = 90 * 24 * 3600;

export function encodeScaleRecord(id: ObjectId, record: ScaleRecord): Item {
  return {
    pk: objectPartition(id),
    sk: scaleSortKey(record.atMs, record.intentId),
    ttl: Math.floor(record.atMs / 1000) + RETENTION_SECONDS,
    ...record,
  };
}

export function decodeScaleRecord(item: Item): ScaleRecord {
  const { pk: _pk, sk: _sk, ttl: _ttl, ...record } = item;
  return record as unknown as ScaleRecord;
}
