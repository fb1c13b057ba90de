import type { History } from "#domain/scale/history";
import { EMPTY_HISTORY } from "#domain/scale/history";
import type { Beat } from "#domain/work/beat";
import type { Intent, ScaledTarget } from "#domain/work/intent";
import type { References } from "#domain/work/references";
import { NEW_FLEET, type ShardMode } from "#domain/work/shards";
import type { Condition, Item } from "#ports/table";
import { beatSortKey, fleetPartition, type ObjectId, objectPartition, SHARD_MODE, STATE } from "#wire/keys";

/** What is remembered of one FederatedHPA; one item, replaced as a whole under its version. */
export interface State {
  /** 0 while nothing was ever stored. */
  readonly version: number;
  /** The object's uid; a re-created object starts anew. */
  readonly uid: string;
  readonly history: History;
  /** The latest instant whose evaluation is in here; work that is not newer is a no-op. */
  readonly lastInstantMs: number;
  /** The shard whose heartbeat extends the latest recommendation; absent after a failed evaluation. */
  readonly beatShard?: string;
  readonly intent?: Intent;
  /** Absent before the first scale. */
  readonly scaled?: ScaledTarget;
  /** The failure events that are being counted, by reason. */
  readonly emitted: Readonly<Record<string, EmittedEvent>>;
  /** What the table's `ref#` items say of the object; absent before they were first stored. */
  readonly references?: References;
  /** What its shadow remembers; absent where it has none. */
  readonly shadow?: ShadowState;
  /** Set after an evaluation of this object alone crashed again and again: it is left alone until then. */
  readonly quarantine?: Quarantine;
}

/** As the real one's: a history, and whose heartbeat extends it. */
export interface ShadowState {
  /** Another ConfigMap starts anew. */
  readonly configMap: string;
  readonly history: History;
  readonly beatShard?: string;
}

export interface Quarantine {
  /** A changed spec ends it early. */
  readonly generation: number;
  readonly untilMs: number;
}

export interface EmittedEvent {
  readonly name: string;
  readonly message: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

export function newState(uid: string): State {
  return { version: 0, uid, history: EMPTY_HISTORY, lastInstantMs: 0, emitted: {} };
}

const STATE_FORMAT = 1;

/** The item that replaces `former`'s version; `writeId` makes its effect single. */
export function encodeState(id: ObjectId, state: State, writeId: string): Item {
  const { version, ...rest } = state;
  return { pk: objectPartition(id), sk: STATE, format: STATE_FORMAT, ...rest, version: version + 1, writeId };
}

/** The stored state; undefined for an item of a newer format, which an older function must not touch. */
export function decodeState(item: Item): State | undefined {
  if (item.format !== STATE_FORMAT) return undefined;
  const { pk: _pk, sk: _sk, format: _format, writeId: _writeId, ttl: _ttl, version, ...rest } = item;
  return { ...(rest as unknown as Omit<State, "version">), version: version ?? 0 };
}

/** A heartbeat as it is stored: every write has another version, also one that only isolates the shard's objects. */
export interface StoredBeat extends Beat {
  readonly version: number;
}

/** The item that replaces the heartbeat `former`. `writeId` makes its effect single. */
export function encodeBeat(
  hub: string,
  shard: string,
  former: StoredBeat | undefined,
  { lastMs, except, isolateUntilMs }: Beat,
  writeId: string,
): Item {
  const version = (former?.version ?? 0) + 1;
  return {
    pk: fleetPartition(hub),
    sk: beatSortKey(shard),
    lastMs,
    except,
    isolateUntilMs,
    version,
    writeId,
  };
}

/** Holds while the stored heartbeat is still `former`. */
export function replaces(former: StoredBeat | undefined): Condition {
  return former === undefined ? { if: "absent" } : { if: "version", is: former.version };
}

export function decodeBeat(item: Item | undefined): StoredBeat | undefined {
  if (typeof item?.lastMs !== "number") return undefined;
  const { version = 0, lastMs, except, isolateUntilMs } = item as unknown as Beat & Item;
  return {
    version,
    lastMs,
    ...(except === undefined ? {} : { except }),
    ...(isolateUntilMs === undefined ? {} : { isolateUntilMs }),
  };
}

export function encodeShardMode(hub: string, mode: ShardMode): Item {
  return { pk: fleetPartition(hub), sk: SHARD_MODE, single: mode.single, buckets: mode.buckets };
}

export function decodeShardMode(item: Item | undefined): ShardMode {
  if (item === undefined) return NEW_FLEET;
  const { single, buckets } = item as unknown as ShardMode;
  return { single: single === true, buckets: typeof buckets === "object" && buckets !== null ? buckets : {} };
}
