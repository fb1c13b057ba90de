import type { TablePort } from "#ports/table";
import { parkedPartition } from "#wire/keys";
import { decodeParked, type KeptMessage, NO_HUB } from "#wire/parked";

/** The parked messages of these hubs and those that name none, oldest first within each. */
export async function listParked(
  table: TablePort,
  hubs: readonly string[],
  nowMs: number,
): Promise<readonly KeptMessage[]> {
  const kept = await Promise.all(
    [...hubs, NO_HUB].map(async (hub) => {
      const items = await table.query({ pk: parkedPartition(hub) }, { nowMs, consistent: true });
      return items.map((item) => decodeParked(hub, item));
    }),
  );
  return kept.flat();
}
