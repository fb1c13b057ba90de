import type { Item } from "#ports/table";
import { cronRunSortKey, type ObjectId, objectPartition } from "./keys.ts";

/** A cron run as the history of the FederatedHPA shows it whose bounds it was for. */
export interface CronRunRecord {
  readonly atMs: number;
  readonly executionMs: number;
  /** The CronFederatedHPA, in the same namespace. */
  readonly cron: string;
  readonly rule: string;
  readonly outcome: string;
  /** What was set, or why nothing was. */
  readonly message: string;
}

const RETENTION_SECONDS = 90 * 24 * 3600;

export function encodeCronRunRecord(id: ObjectId, record: CronRunRecord): Item {
  return {
    pk: objectPartition(id),
    sk: cronRunSortKey(record.atMs, record.cron, record.rule),
    ttl: Math.floor(record.atMs / 1000) + RETENTION_SECONDS,
    ...record,
  };
}

export function decodeCronRunRecord({ pk: _pk, sk: _sk, ttl: _ttl, ...record }: Item): CronRunRecord {
  return record as unknown as CronRunRecord;
}
