import type { Compression } from "#ports/compression";
import type { Item, TablePort } from "#ports/table";
import { type CronRunRecord, decodeCronRunRecord } from "#wire/cron-run-record";
import { decodeRun } from "#wire/cron-state";
import { decodeRecordHead, type RecordHead } from "#wire/decision-record";
import { decodeFailureRecord, type FailureRecord } from "#wire/failure-record";
import {
  CRON_RUN_PREFIX,
  cronPartition,
  DECISION_PREFIX,
  decisionSortKey,
  FAILURE_PREFIX,
  failureSortKey,
  type ObjectId,
  objectPartition,
  SCALE_PREFIX,
  SHADOW_PREFIX,
  STATE,
  shadowSortKey,
  sortableInstant,
} from "#wire/keys";
import { decodeScaleRecord, type ScaleRecord } from "#wire/scale-record";

const MINUTE_MS = 60_000;

/** What the ledger's readers need. */
export interface LedgerReader {
  readonly table: TablePort;
  readonly compression: Compression;
  readonly nowMs: number;
}

export interface Span {
  /** Epoch milliseconds, inclusive; default: everything that is kept. */
  readonly sinceMs?: number;
  /** The newest so many. */
  readonly limit?: number;
}

/** A scale with what its decision saw; that may have expired before the scale, or never been recorded. */
export interface PastScale extends ScaleRecord {
  readonly seen?: RecordHead;
}

/** The scales of an object, oldest first. */
export async function listScales(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  { sinceMs = 0, limit }: Span,
): Promise<readonly PastScale[]> {
  const pk = objectPartition(id);
  const from = `${SCALE_PREFIX}${sortableInstant(sinceMs)}`;
  const query = {
    pk,
    prefix: SCALE_PREFIX,
    from,
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  };
  const scales = (await table.query(query, { nowMs, consistent: true })).map(decodeScaleRecord).reverse();
  const keys = scales.map(({ atMs }) => ({ pk, sk: decisionSortKey(atMs) }));
  const decisions = keys.length === 0 ? [] : await table.getMany(keys, { nowMs, consistent: true });
  return scales.map((scale, index) => {
    const item = decisions[index];
    const seen = item && decodeRecordHead(item);
    return seen === undefined ? scale : { ...scale, seen };
  });
}

/** The cron runs for an object's bounds, oldest first. */
export async function listCronRuns(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  { sinceMs = 0, limit }: Span,
): Promise<readonly CronRunRecord[]> {
  const query = {
    pk: objectPartition(id),
    prefix: CRON_RUN_PREFIX,
    from: `${CRON_RUN_PREFIX}${sortableInstant(sinceMs)}`,
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  };
  return (await table.query(query, { nowMs, consistent: true })).map(decodeCronRunRecord).reverse();
}

/** What is on record of a CronFederatedHPA's runs, oldest first; undefined where the object was never evaluated. */
export async function listRunsOf(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  { sinceMs = 0, limit }: Span,
): Promise<readonly CronRunRecord[] | undefined> {
  // By rule and then by instant: all of them are read, which are as many as rules fired in 90 days.
  const items = await table.query({ pk: cronPartition(id) }, { nowMs, consistent: true });
  if (items.length === 0) return undefined;
  const runs = items
    .filter(({ sk }) => sk !== STATE)
    .map(decodeRun)
    .flatMap(({ rule, instantMs, executionMs = instantMs, outcome, message = "" }) =>
      outcome === undefined || instantMs < sinceMs
        ? []
        : [{ atMs: instantMs, executionMs, cron: id.name, rule, outcome, message }],
    )
    .sort((a, b) => a.atMs - b.atMs);
  return limit === undefined ? runs : runs.slice(-limit);
}

/** The evaluations that came to no decision, the first of each minute, oldest first; both ends included. */
export async function listFailures(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  fromMs: number,
  toMs: number,
): Promise<readonly FailureRecord[]> {
  const query = {
    pk: objectPartition(id),
    prefix: FAILURE_PREFIX,
    from: failureSortKey(Math.max(0, fromMs - MINUTE_MS)),
    to: failureSortKey(toMs),
  };
  const failures = (await table.query(query, { nowMs, consistent: true })).map(decodeFailureRecord);
  return failures.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
}

/** So many whole records at a time: some MB at most, for objects of a usual size. */
const PAGE = 100;

/** The items of the decisions on record, oldest first, read page by page: all of an object's may be many. */
export function decisionItems(reader: LedgerReader, id: ObjectId, span: Span): AsyncGenerator<Item> {
  return pages(reader, id, span, DECISION_PREFIX, decisionSortKey);
}

/** The same of the decisions of its shadow. */
export function shadowItems(reader: LedgerReader, id: ObjectId, span: Span): AsyncGenerator<Item> {
  return pages(reader, id, span, SHADOW_PREFIX, shadowSortKey);
}

/**
 * The scales that an object would have had while it was only observed, oldest first: one that goes on being wanted counts
 * once. Reads every decision of the span.
 */
export async function listWouldScales(
  reader: LedgerReader,
  id: ObjectId,
  { limit, ...span }: Span,
): Promise<readonly RecordHead[]> {
  const wanted: RecordHead[] = [];
  let last: RecordHead | undefined;
  for await (const item of decisionItems(reader, id, span)) {
    const head = decodeRecordHead(item);
    if (head?.result === "would-scale" && !(last?.from === head.from && last?.to === head.to))
      wanted.push(head);
    last = head?.result === "would-scale" ? head : undefined;
  }
  return limit === undefined ? wanted : wanted.slice(-limit);
}

/** What the shadow of an object decided, oldest first, without what it was decided from. */
export async function listShadows(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  { sinceMs = 0, limit }: Span,
): Promise<readonly RecordHead[]> {
  const query = {
    pk: objectPartition(id),
    prefix: SHADOW_PREFIX,
    from: shadowSortKey(sinceMs),
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  };
  const items = await table.query(query, { nowMs, consistent: true });
  return items.flatMap((item) => decodeRecordHead(item) ?? []).reverse();
}

async function* pages(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  { sinceMs = 0 }: Span,
  prefix: string,
  sortKey: (atMs: number) => string,
): AsyncGenerator<Item> {
  let from = sortKey(sinceMs);
  for (;;) {
    const query = { pk: objectPartition(id), prefix, from, limit: PAGE };
    const page = await table.query(query, { nowMs, consistent: true });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = sortKey(Number(last.atMs) + 1);
  }
}

/** The item of the decision in force at an instant: the latest on record that is not after it. */
export function decisionInForce(reader: LedgerReader, id: ObjectId, atMs: number): Promise<Item | undefined> {
  return latest(reader, id, DECISION_PREFIX, decisionSortKey(atMs));
}

/** The same of its shadow. */
export function shadowInForce(reader: LedgerReader, id: ObjectId, atMs: number): Promise<Item | undefined> {
  return latest(reader, id, SHADOW_PREFIX, shadowSortKey(atMs));
}

async function latest(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  prefix: string,
  to: string,
): Promise<Item | undefined> {
  const query = { pk: objectPartition(id), prefix, from: prefix, to, descending: true, limit: 1 };
  const [item] = await table.query(query, { nowMs, consistent: true });
  return item;
}

/** The item of the decision at exactly this instant. */
export async function decisionAt(
  { table, nowMs }: LedgerReader,
  id: ObjectId,
  atMs: number,
): Promise<Item | undefined> {
  const key = { pk: objectPartition(id), sk: decisionSortKey(atMs) };
  return table.get(key, { nowMs, consistent: true });
}

/** Whether anything of the object is kept: its state, a scale or a decision. */
export async function isKnown({ table, nowMs }: LedgerReader, id: ObjectId): Promise<boolean> {
  // From the end, where the state is: at the beginning are decisions that have expired and still lie there.
  const query = { pk: objectPartition(id), descending: true, limit: 1 };
  const items = await table.query(query, { nowMs, consistent: true });
  return items.length > 0;
}
