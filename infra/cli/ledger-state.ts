import { brotli } from "#adapters/zlib/compression";
import { isKnown, type LedgerReader } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import type { ObjectKey } from "#domain/work/shards";
import type { Item } from "#ports/table";
import type { DecisionRecord } from "#wire/decision-record";
import type { ObjectId } from "#wire/keys";
import { recordId } from "#wire/record-id";
import { CliError } from "./exit.ts";
import type { StateConnection } from "./state-connection.ts";

export function ledgerOf({ table, clock }: StateConnection): LedgerReader {
  return { table, compression: brotli, nowMs: clock.nowMs() };
}

/** The object on the one hub that knows it. */
export async function knownObject(
  state: StateConnection,
  reader: LedgerReader,
  { namespace, name }: ObjectKey,
): Promise<ObjectId> {
  const ids = state.hubs.map((hub) => ({ hub, namespace, name }));
  const known = await Promise.all(ids.map((id) => isKnown(reader, id)));
  const [found, other] = ids.filter((_, index) => known[index]);
  if (found === undefined) {
    throw new CliError(
      "refused",
      `nothing is on record of ${namespace}/${name} on ${state.hubs.join(" or ")}; is it evaluated there?`,
    );
  }
  if (other === undefined) return found;
  const hubs = `${found.hub} and ${other.hub}`;
  throw new CliError(
    "refused",
    `${namespace}/${name} is on record of the hubs ${hubs}; choose one with --hub`,
  );
}

/** The whole record of an item; one that cannot be read is one sentence and exit 1. */
export async function wholeRecord(
  { compression }: LedgerReader,
  id: ObjectId,
  item: Item,
): Promise<DecisionRecord> {
  const record = await readRecord(compression, id, item);
  if (record.ok) return record.value;
  throw new CliError("refused", `${recordId({ ...id, atMs: Number(item.atMs) })}: ${record.fault}`);
}
