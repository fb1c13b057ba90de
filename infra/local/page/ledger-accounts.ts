import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { brotli } from "#adapters/zlib/compression";
import { decisionInForce, type LedgerReader, shadowInForce } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import { type RecordAccount, recordAccount } from "#app/ledger/record-account";
import { formatInstant } from "#domain/units/instant";
import type { AccountAnswer } from "#infra/browser/page/protocol";
import { REGION } from "#infra/local/aws/names";
import type { Clock } from "#ports/clock";
import { isPortFault } from "#ports/fault";
import type { ObjectId } from "#wire/keys";

export type AccountOf = (key: string, atMs: number) => Promise<AccountAnswer>;

/** What this machine's endpoint takes for credentials. */
export const CLIENT = {
  region: REGION,
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  maxAttempts: 1,
} as const;

/** The account of the decision in force at an instant, as `mainsheet why --at` tells it, from the host's own table. */
export function ledgerAccounts(endpoint: string, hub: string, clock: Clock): AccountOf {
  const table = dynamoTable("state", { documents: dynamoDocuments({ endpoint, ...CLIENT }), clock });

  return async (key, atMs) => {
    const [namespace = "", name = ""] = key.split("/");
    const id = { hub, namespace, name };
    const reader = { table, compression: brotli, nowMs: clock.nowMs() };
    try {
      const item = await decisionInForce(reader, id, atMs);
      if (item === undefined) {
        const message = `no decision of ${key} is on record at or before ${formatInstant(atMs)}: kept are scales, changes of a condition and failures (--ledger all keeps every one)`;
        return { ok: false, message };
      }
      const record = await readRecord(brotli, id, item);
      const told = record.ok ? recordAccount(record.value) : record;
      if (!told.ok) return { ok: false, message: told.fault };
      const shadow = await shadowAccount(reader, id, atMs, Number(item.atMs));
      return {
        ok: true,
        atMs: Number(item.atMs),
        ...told.value,
        ...(shadow === undefined ? {} : { shadow }),
      };
    } catch (error) {
      if (!isPortFault(error)) throw error;
      return { ok: false, message: error.message };
    }
  };
}

/** A shadow is kept with each real decision that is; one that is older than that has been taken away. */
async function shadowAccount(
  reader: LedgerReader,
  id: ObjectId,
  atMs: number,
  realMs: number,
): Promise<RecordAccount | undefined> {
  const item = await shadowInForce(reader, id, atMs);
  if (item === undefined || Number(item.atMs) < realMs) return undefined;
  const record = await readRecord(brotli, id, item);
  const told = record.ok ? recordAccount(record.value) : undefined;
  return told?.ok ? told.value : undefined;
}
