import type { Claim } from "#domain/cron/claim";
import type { CronState } from "#domain/cron/cron-state";
import type { RunOutcome } from "#domain/cron/run-result";
import type { Item } from "#ports/table";
import { CRON_BEAT, cronPartition, fleetPartition, type ObjectId, runSortKey, STATE } from "./keys.ts";

const FORMAT = 1;
/** People look back a quarter; a claim has to outlive every message that could come twice. */
const RUN_TTL_SECONDS = 90 * 86_400;

/** The item that replaces `state`'s version; `writeId` makes its effect single. */
export function encodeCronState(id: ObjectId, state: CronState, writeId: string): Item {
  const { version, ...rest } = state;
  return { pk: cronPartition(id), sk: STATE, format: FORMAT, ...rest, version: version + 1, writeId };
}

/** The stored state; undefined for an item of a newer format, which an older function must not touch. */
export function decodeCronState(item: Item): CronState | undefined {
  if (item.format !== FORMAT) return undefined;
  const { pk: _pk, sk: _sk, format: _format, writeId: _writeId, ttl: _ttl, version, ...rest } = item;
  return { ...(rest as unknown as Omit<CronState, "version">), version: version ?? 0 };
}

/** One run of one rule: who is about to do it, and then what came of it. Kept for 90 days. */
export interface RunRecord {
  readonly version: number;
  /** Of the CronFederatedHPA; a re-created object starts anew. */
  readonly uid: string;
  readonly rule: string;
  readonly instantMs: number;
  readonly skipped: number;
  /** Absent once the claimant has said that it wrote nothing. */
  readonly claim?: Claim;
  /** Absent while the run is open. */
  readonly outcome?: RunOutcome;
  readonly executionMs?: number;
  /** The target before the run. */
  readonly from?: string;
  readonly message?: string;
}

/** The item that replaces the record's version. */
export function encodeRun(id: ObjectId, run: RunRecord, writeId: string): Item {
  const { version, ...rest } = run;
  const ttl = Math.floor(run.instantMs / 1000) + RUN_TTL_SECONDS;
  return {
    pk: cronPartition(id),
    sk: runSortKey(run.rule, run.instantMs),
    ttl,
    ...rest,
    version: version + 1,
    writeId,
  };
}

export function decodeRun(item: Item): RunRecord {
  const { pk: _pk, sk: _sk, ttl: _ttl, writeId: _writeId, ...rest } = item;
  return rest as unknown as RunRecord;
}

/**
 * The heartbeat of a hub's cron: every object was evaluated up to `lastMs`, so that one with nothing due needs no write
 * of its own. `behind` names those whose evaluation failed, each with the instant up to which it did not.
 */
export interface CronBeat {
  readonly version: number;
  readonly lastMs: number;
  readonly behind?: Readonly<Record<string, number>>;
}

export function encodeCronBeat(hub: string, { version, ...beat }: CronBeat, writeId: string): Item {
  return { pk: fleetPartition(hub), sk: CRON_BEAT, ...beat, version: version + 1, writeId };
}

export function decodeCronBeat(item: Item | undefined): CronBeat | undefined {
  if (typeof item?.lastMs !== "number") return undefined;
  const { version = 0, lastMs, behind } = item as unknown as CronBeat;
  return { version, lastMs, ...(behind === undefined ? {} : { behind }) };
}
