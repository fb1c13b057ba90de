import { brotli } from "#adapters/zlib/compression";
import { decisionItems } from "#app/ledger/read-ledger";
import { readRecord } from "#app/ledger/read-record";
import { replay } from "#app/ledger/replay";
import { openLocalState } from "#infra/cli/state-connection";
import type { Host } from "#infra/local/host";
import { LOCAL_HUBS } from "#infra/local/hub-names";

/** What deciding again came to, for every decision on record of every FederatedHPA that is in the host's fleet. */
export async function replayed({ aws, fleet }: Host): Promise<readonly string[]> {
  const { table, clock } = await openLocalState(aws.endpoint);
  const reader = { table, compression: brotli, nowMs: clock.nowMs() };
  const found =
    fleet?.fleet.hub.store.list({ group: "autoscaling.karmada.io", resource: "federatedhpas" }) ?? [];
  const outcomes: string[] = [];
  for (const { metadata } of found) {
    const { namespace = "default", name = "" } = metadata;
    const id = { hub: LOCAL_HUBS.embedded, namespace, name };
    for await (const item of decisionItems(reader, id, {})) {
      const record = await readRecord(brotli, id, item);
      outcomes.push(record.ok ? replay(record.value).result : record.fault);
    }
  }
  return outcomes;
}
