import { hubOver } from "#adapters/kubernetes/hub";
import { memoryBus } from "#adapters/memory/bus";
import { memoryTable } from "#adapters/memory/table";
import type { RelayDeps, RelayEvent } from "#app/relay/deps";
import { HUB_SOURCES, type Source } from "#app/relay/sources";
import type { BusEvent } from "#ports/bus";
import { PortFault } from "#ports/fault";
import type { TablePort } from "#ports/table";
import { virtualDeadlines, virtualTimers } from "#test/relay/virtual-time";
import { WatchServer } from "#test/relay/watch-server";
import { type Agenda, openAgenda } from "#test/storm/agenda";
import { type Dice, dice } from "#test/storm/chance";

export const START_MS = Date.parse("2026-03-02T09:00:00Z");
export const HUB = "eu";

/** How often the table and the bus fail, before or after they did what was asked. */
export interface CloudFaults {
  readonly table: number;
  readonly bus: number;
}

export interface Delivered {
  readonly atMs: number;
  readonly detail: {
    readonly id: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
}

/** A hub, a table and a bus on virtual time, and the relays that somebody starts between them. */
export interface RelayWorld {
  readonly agenda: Agenda;
  readonly dice: Dice;
  readonly server: WatchServer;
  readonly table: ReturnType<typeof memoryTable>;
  readonly delivered: readonly Delivered[];
  cloud: CloudFaults;
  /** A relay's view of all this; `kill` is a power cut: nothing that it asked for comes back, nothing more happens. */
  relay(
    name: string,
    sources?: readonly Source[],
  ): {
    readonly deps: RelayDeps;
    readonly told: RelayEvent[];
    kill(): void;
  };
}

/** `observe` is told of every step, to find out why a schedule went wrong. */
export function relayWorld(seed: string, observe: (line: string) => void = () => {}): RelayWorld {
  const say = (who: string, what: object) =>
    observe(`${((agenda.nowMs() - START_MS) / 1000).toFixed(3)} ${who} ${JSON.stringify(what)}`);
  const chance = dice(seed);
  const agenda = openAgenda(START_MS, seed);
  const server = new WatchServer(agenda, chance);
  const delivered: Delivered[] = [];
  const bus = memoryBus();
  const table = memoryTable({ clock: agenda });
  let ids = 0;

  const world: RelayWorld = {
    agenda,
    ...{ dice: chance, server, table, delivered },
    cloud: { table: 0, bus: 0 },
    relay(name, sources = HUB_SOURCES) {
      let isDead = false;
      const told: RelayEvent[] = [];
      const timers = virtualTimers(agenda);
      const never = new Promise<never>(() => {});
      const stops: AbortController[] = [];
      const pass = (ms: number) => timers.sleep(ms);

      /** A call takes a moment on each way, and may fail on each; a dead caller gets nothing and does nothing. */
      async function remote<T>(probability: number, what: string, work: () => Promise<T>): Promise<T> {
        await pass(chance.whole(1, 15));
        if (isDead) return never;
        if (chance.happens(probability)) throw new PortFault("unavailable", `${what}: as the test wants it`);
        const result = await work();
        await pass(chance.whole(1, 15));
        if (isDead) return never;
        if (chance.happens(probability)) throw new PortFault("unavailable", `${what}: the answer is lost`);
        return result;
      }
      const over: TablePort = {
        get: (key, options) => remote(world.cloud.table, "get", () => table.get(key, options)),
        getMany: (keys, options) => remote(world.cloud.table, "getMany", () => table.getMany(keys, options)),
        put: (item, condition) => remote(world.cloud.table, "put", () => table.put(item, condition)),
        delete: (key, condition) => remote(world.cloud.table, "delete", () => table.delete(key, condition)),
        query: (query, options) => remote(world.cloud.table, "query", () => table.query(query, options)),
      };
      const deps: RelayDeps = {
        hub: HUB,
        holder: name,
        sources,
        connect: (signal) =>
          hubOver(server.transport, { deadlineMs: 2_000, clock: virtualDeadlines(agenda) }, signal),
        watchSeconds: 8,
        table: over,
        bus: {
          put: (events) =>
            remote(world.cloud.bus, "put", async () => {
              const refused = events.filter(() => chance.happens(world.cloud.bus));
              await bus.put(events.filter((event) => !refused.includes(event)));
              for (const event of bus.take()) {
                delivered.push(deliveryOf(event, agenda.nowMs()));
                say("bus", event.detail);
              }
              return refused.map((event) => ({ event, reason: "as the test wants it" }));
            }),
        },
        compression: { compress: async (text) => text, decompress: async (text) => text },
        ids: {
          next: () => {
            ids += 1;
            return `id-${ids}`;
          },
        },
        timers: {
          nowMs: agenda.nowMs,
          sleep: (ms, signal) => timers.sleep(ms, signal).then(() => (isDead ? never : undefined)),
        },
        clock: agenda,
        chance: chance.next,
        newStop: () => {
          const stop = new AbortController();
          stops.push(stop);
          return stop;
        },
        tell(event) {
          told.push(event);
          say(name, event);
        },
      };
      return {
        deps,
        told,
        kill() {
          isDead = true;
          // Its connections break with it.
          for (const stop of stops) stop.abort();
        },
      };
    },
  };
  return world;
}

function deliveryOf({ detail }: BusEvent, atMs: number): Delivered {
  return { atMs, detail: detail as Delivered["detail"] };
}
