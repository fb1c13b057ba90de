import { DEFAULT_MIN_INTERVAL_MS } from "#domain/work/event-settings";
import type { ShardMode } from "#domain/work/shards";
import { onEvent, onLater } from "#domain/work/turn";
import type { BusEvent } from "#wire/bus-event";
import { fleetPartition, SHARD_MODE } from "#wire/keys";
import { type Concerned, decodeConcerned } from "#wire/references";
import { decodeShardMode } from "#wire/state";
import { encodeSeen, seenKey } from "#wire/turn";
import type { RouteMessage } from "#wire/work";
import { type Lookup, lookupsOf } from "./concerned.ts";
import type { RouteDeps } from "./deps.ts";
import { openRouteMemory } from "./memory.ts";
import { openTurns } from "./take-turn.ts";

/**
 * Opens one invocation of `route`: returns what works one message. An event has each FederatedHPA that it concerns
 * evaluated, at most once in the object's floor; a copy of an event that was dealt with does nothing, except for a message
 * that comes again. Cost of an event: the write of its mark; and for each object whose turn it changes a read of the mark
 * and a write of the turn. An object's turn is read once in each invocation, what concerns whom and the shards now and then
 * (`RouteMemory`).
 */
export function openRoute(
  deps: RouteDeps,
): (message: RouteMessage, receipt: { readonly receiveCount: number }) => Promise<void> {
  const { memory = openRouteMemory(deps.clock) } = deps;
  const worked = new Map<string, Promise<number>>();
  const turns = openTurns(deps, (hub) => memory.recall(`shards ${hub}`, () => readMode(deps, hub)));

  return async (message, { receiveCount }) => {
    const isRedelivered = receiveCount > 1;
    if (message.kind === "event") return workEvent(message, isRedelivered);
    const { hub, object, untilMs, eventId } = message;
    await turns.take(
      { hub, ...object },
      { decide: (turn, nowMs) => onLater(turn, { eventId, isRedelivered, nowMs }, untilMs) },
    );
  };

  async function workEvent(event: BusEvent, isRedelivered: boolean): Promise<void> {
    const lookups = lookupsOf(event, deps.hubs).filter(({ hub }) => deps.hubs.includes(hub));
    const counts = await Promise.all(
      lookups.map((lookup) =>
        once(`${lookup.hub}#${event.id}#${isRedelivered}`, () => workLookup(event, lookup, isRedelivered)),
      ),
    );
    // A relay tells of every binding, whether anybody scales its workload or not.
    if (counts.every((count) => count === 0) && event.type !== "ObjectChanged")
      deps.log.info("event passed over: no FederatedHPA here has to do with it", describe(event));
  }

  /** Copies of one event in one batch are worked as one, those that come again apart from those that do not. */
  function once(key: string, work: () => Promise<number>): Promise<number> {
    const begun = worked.get(key) ?? work();
    worked.set(key, begun);
    return begun;
  }

  /** How many FederatedHPAs the event concerns on this hub. */
  async function workLookup(event: BusEvent, lookup: Lookup, isRedelivered: boolean): Promise<number> {
    const { hub } = lookup;
    const { id: eventId } = event;
    const seenMs = deps.clock.nowMs();
    const mark = seenKey(hub, eventId);
    let asked: Promise<boolean> | undefined;
    const isVain = () => {
      asked ??= deps.table.get(mark, { nowMs: seenMs }).then((item) => item !== undefined);
      return asked;
    };
    const objects = await concernedBy(lookup);
    if (objects.length === 0) return 0;
    await Promise.all(
      objects.map(({ namespace, name, minIntervalMs = DEFAULT_MIN_INTERVAL_MS }) =>
        turns.take(
          { hub, namespace, name },
          {
            decide: (turn, nowMs) => onEvent(turn, { eventId, isRedelivered, nowMs }, minIntervalMs),
            // What comes again may owe what it has not sent, though another copy was dealt with meanwhile.
            ...(isRedelivered ? {} : { isVain }),
          },
        ),
      ),
    );
    // Last: what dies before is done again when the message comes again, under the same ids.
    await deps.table.put(encodeSeen(hub, eventId, seenMs), { if: "none" });
    return objects.length;
  }

  async function concernedBy({ partitions, named }: Lookup): Promise<readonly Concerned[]> {
    const lists = partitions.map((pk) =>
      memory.recall(
        pk,
        () => readConcerned(deps, pk),
        ({ length }) => length > 0,
      ),
    );
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

function describe(event: BusEvent): Record<string, unknown> {
  const { id, type } = event;
  return type === "unknown"
    ? { event: id, source: event.source, type: event.detailType }
    : { event: id, type, ...event.detail };
}
