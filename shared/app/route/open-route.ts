import { DEFAULT_MIN_INTERVAL_MS } from "#domain/work/event-settings";
import type { ShardMode } from "#domain/work/shards";
import { onEvent, onLater } from "#domain/work/turn";
import type { BusEvent } from "#wire/bus-event";
import { fleetPartition, SEEN, SHARD_MODE, seenPartition } from "#wire/keys";
import { type Concerned, decodeConcerned } from "#wire/references";
import { decodeShardMode } from "#wire/state";
import { encodeSeen } from "#wire/turn";
import type { RouteMessage } from "#wire/work";
import { type Lookup, lookupsOf } from "./concerned.ts";
import type { RouteDeps } from "./deps.ts";
import { openTurns } from "./take-turn.ts";

/**
 * Opens one invocation of `route`: returns what works one message. An event has each FederatedHPA that it concerns
 * evaluated, at most once in the object's floor; a copy of an event that was dealt with does nothing. Cost of an event:
 * a read of its mark, a query for what it concerns, a read of each object's turn and at most one write of it, and the
 * mark's write; queries and turns are shared by the messages of an invocation.
 */
export function openRoute(
  deps: RouteDeps,
): (message: RouteMessage, receipt: { readonly receiveCount: number }) => Promise<void> {
  const modes = new Map<string, Promise<ShardMode>>();
  const found = new Map<string, Promise<readonly Concerned[]>>();
  const worked = new Map<string, Promise<number>>();
  const turns = openTurns(deps, (hub) => shared(modes, hub, () => readMode(deps, hub)));

  return async (message, { receiveCount }) => {
    const isRedelivered = receiveCount > 1;
    if (message.kind === "event") return workEvent(message, isRedelivered);
    const { hub, object, untilMs, eventId } = message;
    await turns.take({ hub, ...object }, (turn, nowMs) =>
      onLater(turn, { eventId, isRedelivered, nowMs }, untilMs),
    );
  };

  async function workEvent(event: BusEvent, isRedelivered: boolean): Promise<void> {
    const lookups = lookupsOf(event, deps.hubs).filter(({ hub }) => deps.hubs.includes(hub));
    const counts = await Promise.all(
      lookups.map((lookup) =>
        shared(worked, `${lookup.hub}#${event.id}`, () => workLookup(event, lookup, isRedelivered)),
      ),
    );
    // A relay tells of every binding, whether anybody scales its workload or not.
    if (counts.every((count) => count === 0) && event.type !== "ObjectChanged")
      deps.log.info("event passed over: no FederatedHPA here has to do with it", describe(event));
  }

  /** How many FederatedHPAs the event concerns on this hub. */
  async function workLookup(event: BusEvent, lookup: Lookup, isRedelivered: boolean): Promise<number> {
    const { hub } = lookup;
    const { id: eventId } = event;
    const mark = { pk: seenPartition(hub, eventId), sk: SEEN };
    const seenMs = deps.clock.nowMs();
    const [seen, objects] = await Promise.all([deps.table.get(mark, { nowMs: seenMs }), concernedBy(lookup)]);
    if (seen !== undefined || objects.length === 0) return objects.length;
    await Promise.all(
      objects.map(({ namespace, name, minIntervalMs = DEFAULT_MIN_INTERVAL_MS }) =>
        turns.take({ hub, namespace, name }, (turn, nowMs) =>
          onEvent(turn, { eventId, isRedelivered, nowMs }, minIntervalMs),
        ),
      ),
    );
    // Last: what dies before is done again when the message comes again, under the same ids.
    await deps.table.put(encodeSeen(hub, eventId, seenMs), { if: "none" });
    return objects.length;
  }

  async function concernedBy({ partitions, named }: Lookup): Promise<readonly Concerned[]> {
    const lists = partitions.map((pk) => shared(found, pk, () => readConcerned(deps, pk)));
    const known = (await Promise.all(lists)).flat();
    return known.length === 0 && named !== undefined ? [named] : known;
  }
}

async function readMode({ table, clock }: RouteDeps, hub: string): Promise<ShardMode> {
  const key = { pk: fleetPartition(hub), sk: SHARD_MODE };
  return decodeShardMode(await table.get(key, { nowMs: clock.nowMs() }));
}

async function readConcerned({ table, clock }: RouteDeps, pk: string): Promise<readonly Concerned[]> {
  return (await table.query({ pk }, { nowMs: clock.nowMs() })).map(decodeConcerned);
}

function shared<T>(memory: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const value = memory.get(key) ?? read();
  memory.set(key, value);
  return value;
}

function describe(event: BusEvent): Record<string, unknown> {
  const { id, type } = event;
  return type === "unknown"
    ? { event: id, source: event.source, type: event.detailType }
    : { event: id, type, ...event.detail };
}
