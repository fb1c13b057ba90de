import { groupBy } from "#domain/units/group";
import { mixedHash } from "#domain/units/hash";

/**
 * Which objects share one message. Up to 40 objects: one message each. Beyond: a namespace is one shard up to 50
 * objects, then k = ceil(n / 30) buckets, an object's bucket being the one with the highest hash of (bucket, name), so
 * that another k moves only the objects it must. Modes change with 20 % of hysteresis, since a change of shard costs
 * each moved object a write (design 1, "Shards").
 */
export interface ShardMode {
  /** One message per object, whatever the namespace. */
  readonly single: boolean;
  /** Buckets per namespace, for namespaces with more than one. */
  readonly buckets: Readonly<Record<string, number>>;
}

export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

export interface Shard<K extends ObjectKey = ObjectKey> {
  /** Stable name, also the FIFO group: `o/<ns>/<name>`, `n/<ns>` or `n/<ns>/<bucket>of<k>`. */
  readonly id: string;
  readonly objects: readonly K[];
}

export const NEW_FLEET: ShardMode = { single: true, buckets: {} };

const SINGLE_UP_TO = 40;
const WHOLE_NAMESPACE_UP_TO = 50;
const BUCKET_SIZE = 30;
const HYSTERESIS = 0.2;

/** The mode for these objects, staying with `former` inside the hysteresis. Cost: one pass. */
export function shardMode(objects: readonly ObjectKey[], former: ShardMode): ShardMode {
  const limit = former.single ? SINGLE_UP_TO : SINGLE_UP_TO * (1 - HYSTERESIS);
  const single = objects.length <= limit;
  const counts = new Map<string, number>();
  for (const { namespace } of objects) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  const buckets: Record<string, number> = {};
  for (const [namespace, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const k = bucketCount(count, former.buckets[namespace] ?? 1);
    if (k > 1) buckets[namespace] = k;
  }
  return { single, buckets };
}

function bucketCount(count: number, former: number): number {
  if (former === 1) return count <= WHOLE_NAMESPACE_UP_TO ? 1 : Math.ceil(count / BUCKET_SIZE);
  if (count <= WHOLE_NAMESPACE_UP_TO * (1 - HYSTERESIS)) return 1;
  const low = BUCKET_SIZE * (former - 1) * (1 - HYSTERESIS);
  const high = BUCKET_SIZE * former * (1 + HYSTERESIS);
  return count > low && count <= high ? former : Math.ceil(count / BUCKET_SIZE);
}

export function isSameMode(a: ShardMode, b: ShardMode): boolean {
  const namespaces = Object.keys(a.buckets);
  return (
    a.single === b.single &&
    namespaces.length === Object.keys(b.buckets).length &&
    namespaces.every((namespace) => a.buckets[namespace] === b.buckets[namespace])
  );
}

/** The shard of one object. */
export function shardOf({ namespace, name }: ObjectKey, mode: ShardMode): string {
  if (mode.single) return `o/${namespace}/${name}`;
  const k = mode.buckets[namespace] ?? 1;
  return k === 1 ? `n/${namespace}` : `n/${namespace}/${bucketOf(name, k)}of${k}`;
}

function bucketOf(name: string, k: number): number {
  let best = 0;
  let bestHash = -1;
  for (let bucket = 0; bucket < k; bucket++) {
    const hash = mixedHash(`${bucket}/${name}`);
    if (hash > bestHash) {
      best = bucket;
      bestHash = hash;
    }
  }
  return best;
}

/** All objects by shard, in the order of first sight. */
export function shardsOf<K extends ObjectKey>(objects: readonly K[], mode: ShardMode): Shard<K>[] {
  const shards = groupBy(objects, (object) => shardOf(object, mode));
  return [...shards].map(([id, members]) => ({ id, objects: members }));
}
