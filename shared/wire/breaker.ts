import type { Breaker } from "#domain/work/breaker";
import type { Item } from "#ports/table";
import { BREAKER_PREFIX, breakerSortKey, fleetPartition } from "#wire/keys";

/** A breaker nobody has touched for so long says nothing any more. */
const TTL_SECONDS = 3600;

export function encodeBreaker(
  hub: string,
  { cluster, failures, probedMs, version }: Breaker,
  nowMs: number,
): Item {
  const ttl = Math.ceil(nowMs / 1000) + TTL_SECONDS;
  return {
    pk: fleetPartition(hub),
    sk: breakerSortKey(cluster),
    ttl,
    failures,
    probedMs,
    version: version + 1,
  };
}

export function decodeBreaker(item: Item): Breaker {
  const { failures, probedMs, version = 0 } = item as unknown as Breaker;
  return { cluster: item.sk.slice(BREAKER_PREFIX.length), failures, probedMs, version };
}
