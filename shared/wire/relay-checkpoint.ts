import type { ObjectChange, WatchedObject, WorkloadRef } from "#domain/relay/watched-object";
import type { Item } from "#ports/table";
import { fleetPartition, RELAY, relayPartSortKey } from "#wire/keys";

/**
 * What a relay has stored of one hub (`fleet#<hub>` / `relay`): who holds the lease and under which fence, up to where
 * each source has been worked off, and what was seen: a base, which lies in parts beside it, and the log since then.
 */
export interface RelayCheckpoint {
  /** Moves with every write; the condition of the next one. */
  readonly version: number;
  /** Moves with every new holder. What an older one writes is refused, since its version is stale. */
  readonly fence: number;
  readonly holder: string;
  /** The holder has gone, and left everything in order. */
  readonly released: boolean;
  /** By source: the resourceVersion up to which everything is published. */
  readonly positions: Readonly<Record<string, string>>;
  /** Absent before the first lists. */
  readonly base?: BaseRef;
  /** Changes since the base, in order: announced before they were published. */
  readonly log: readonly LogEntry[];
  /** So many of the log's first entries are known to be published. */
  readonly confirmed: number;
}

export interface BaseRef {
  readonly stamp: string;
  readonly parts: number;
}

export interface LogEntry extends Omit<ObjectChange, "id" | "before"> {
  readonly source: string;
}

/** By source, what was seen when all of the log was published. */
export type SeenSources = Readonly<Record<string, SeenSource>>;

export interface SeenSource {
  readonly objects: readonly WatchedObject[];
  /** The uids of the last that were deleted. */
  readonly gone: readonly string[];
}

/** A part's share of the compressed text: well below what an item may hold. */
const PART_CHARACTERS = 300_000;

type Row = readonly [
  namespace: string,
  name: string,
  uid: string,
  resourceVersion: string,
  digest: string,
  target: readonly [string, string, string, string] | null,
];

export function encodeCheckpoint(hub: string, checkpoint: RelayCheckpoint, writeId: string): Item {
  const { log, ...rest } = checkpoint;
  const rows = log.map(({ source, change, object }) => [source, change, ...rowOf(object)]);
  return { pk: fleetPartition(hub), sk: RELAY, ...rest, log: rows, writeId };
}

export function decodeCheckpoint(item: Item): RelayCheckpoint {
  const { version, fence, holder, released, positions, base, log, confirmed } = item as unknown as Omit<
    RelayCheckpoint,
    "log"
  > & { readonly log: readonly (readonly [string, LogEntry["change"], ...Row])[] };
  return {
    ...{ version, fence, holder, released, positions, confirmed },
    ...(base === undefined ? {} : { base }),
    log: log.map(([source, change, ...row]) => ({ source, change, object: objectOf(row) })),
  };
}

/** The text of a base, to be compressed. */
export function encodeSeen(seen: SeenSources): string {
  const sources = Object.entries(seen).map(([source, { objects, gone }]) => [
    source,
    { gone, rows: objects.map(rowOf) },
  ]);
  return JSON.stringify(Object.fromEntries(sources));
}

/** Undefined for what is no base. */
export function decodeSeen(text: string): SeenSources | undefined {
  try {
    const sources = Object.entries(JSON.parse(text) as Record<string, { gone: string[]; rows: Row[] }>);
    return Object.fromEntries(
      sources.map(([source, { gone, rows }]) => [source, { gone, objects: rows.map(objectOf) }]),
    );
  } catch {
    return undefined;
  }
}

/** The items of a compressed base, in order. */
export function partItems(hub: string, stamp: string, text: string): readonly Item[] {
  const count = Math.max(1, Math.ceil(text.length / PART_CHARACTERS));
  return Array.from({ length: count }, (_, i) => ({
    ...partKey(hub, stamp, i),
    text: text.slice(i * PART_CHARACTERS, (i + 1) * PART_CHARACTERS),
  }));
}

export const partKey = (hub: string, stamp: string, part: number) => ({
  pk: fleetPartition(hub),
  sk: relayPartSortKey(stamp, part),
});

function rowOf({ namespace = "", name, uid, resourceVersion, digest, target }: WatchedObject): Row {
  const ref = target && ([target.apiVersion, target.kind, target.namespace, target.name] as const);
  return [namespace, name, uid, resourceVersion, digest, ref ?? null];
}

function objectOf([namespace, name, uid, resourceVersion, digest, ref]: Row): WatchedObject {
  return {
    ...{ uid, resourceVersion, name, digest },
    ...(namespace === "" ? {} : { namespace }),
    ...(ref === null ? {} : { target: targetOf(ref) }),
  };
}

function targetOf([apiVersion, kind, namespace, name]: readonly [
  string,
  string,
  string,
  string,
]): WorkloadRef {
  return { apiVersion, kind, namespace, name };
}
