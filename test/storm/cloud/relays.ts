import { memoryIds } from "#adapters/memory/ids";
import type { RelayDeps } from "#app/relay/deps";
import { logRelay } from "#app/relay/log-relay";
import { runRelay } from "#app/relay/run-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import type { BusEvent } from "#ports/bus";
import { isPortFault } from "#ports/fault";
import type { KubernetesPort } from "#ports/kubernetes";
import type { Log } from "#ports/log";
import type { TablePort } from "#ports/table";
import type { Timers } from "#ports/timers";
import type { Store } from "#sim/api/store";
import { virtualTimers } from "#test/relay/virtual-time";
import type { Agenda } from "#test/storm/agenda";
import { type Dice, dice } from "#test/storm/chance";
import type { Fact, RelayLife } from "#test/storm/facts";
import type { RelayFault } from "#test/storm/fault";
import type { Gate } from "#test/storm/ports/gate";
import { gatedTable } from "#test/storm/ports/gated-table";
import { type GatedWatches, gatedWatches } from "#test/storm/ports/gated-watch";
import type { ObjectChanged } from "#wire/events";
import type { StormBus } from "./bus.ts";
import type { Environment, Invocation } from "./environments.ts";
import { HUB } from "./functions.ts";

/** The relays of a plan, as processes that something starts again when they end: none, one, or several by mistake. */
export interface Relays {
  strike(fault: RelayFault): void;
  /** The process that made the call dies; of no effect where a function did. */
  crash(by: Invocation): void;
  /** No fault waits any more. */
  clear(): void;
  /** The storm is over: nothing of theirs is left open. */
  close(): void;
}

export interface RelaysOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly tell: (fact: Fact) => void;
  readonly gate: Gate;
  readonly table: TablePort;
  readonly hubOf: (by: () => Invocation, gate: Gate) => KubernetesPort;
  readonly port: KubernetesPort;
  readonly store: Store;
  readonly bus: Pick<StormBus, "publish">;
}

interface Process {
  readonly by: Invocation;
  readonly holder: string;
  readonly stop: AbortController;
  /** All that ends with it. */
  readonly stops: AbortController[];
  readonly watches: GatedWatches;
}

const RESTART_SECONDS = [0, 1, 3, 10, 20];
const HOLDERS = 3;

export function openRelays(options: RelaysOptions): Relays {
  const { seed, agenda, tell, table, hubOf, port, store, bus } = options;
  const gate = asRelays(options.gate);
  const timers = virtualTimers(agenda);
  const ids = memoryIds("relay");
  let running: Process[] = [];
  const isCut = () => agenda.nowMs() < cutUntilMs;
  let started = 0;
  let rejections = 0;
  let cutUntilMs = 0;

  function start(holder: string): void {
    started += 1;
    const by = invocation(`relay#${started}`);
    const chance = dice(`${seed}/${by.id}`);
    const watches = gatedWatches({ port, by, gate, agenda, chance, isCut });
    const process: Process = { by, holder, stop: new AbortController(), stops: [], watches };
    running.push(process);
    live(process, "up");
    runRelay(depsOf(process, chance), process.stop.signal).then(
      () => end(process, "stopped"),
      (error: unknown) => {
        const text = error instanceof Error ? (isPortFault(error) ? error.message : error.stack) : error;
        logOf(by).error("invocation failed", { error: String(text) });
        end(process, "failed");
      },
    );
  }

  function depsOf({ by, holder, stops, watches }: Process, chance: Dice): RelayDeps {
    const hub = { ...hubOf(() => by, gate), watch: watches.watch };
    return {
      ...{ hub: HUB, holder, sources: HUB_SOURCES },
      connect: () => hub,
      table: gatedTable(table, by, gate, agenda, tell),
      bus: { put: (events) => put(by, events) },
      compression: { compress: async (text) => text, decompress: async (text) => text },
      ids,
      timers: timersOf(by),
      clock: agenda,
      chance: chance.next,
      newStop() {
        const stop = new AbortController();
        stops.push(stop);
        // With a reason, since one that is made up for lack of it costs more than all the rest of a wait.
        return { signal: stop.signal, abort: () => stop.abort("ended") };
      },
      tell: logRelay(logOf(by), HUB),
    };
  }

  function put(by: Invocation, events: readonly BusEvent[]) {
    const sentAtMs = agenda.nowMs();
    return gate.pass(by, { name: "bus.put" }, async () => {
      const isPartial = rejections > 0;
      rejections = Math.max(0, rejections - 1);
      return events.flatMap((event, i) => {
        if (isPartial && i % 2 === 0) return [{ event, reason: "planned" }];
        const detail = event.detail as ObjectChanged;
        tell({ what: "published", atMs: agenda.nowMs(), by: by.id, sentAtMs, event: detail });
        bus.publish(event);
        return [];
      });
    });
  }

  /** What sleeps in a dead process does not wake. */
  function timersOf({ environment }: Invocation): Timers {
    const never = new Promise<never>(() => {});
    return {
      nowMs: agenda.nowMs,
      sleep: (ms, signal) => timers.sleep(ms, signal).then(() => (environment.isDead ? never : undefined)),
    };
  }

  function logOf({ id: by }: Invocation): Log {
    const at = (level: string) => (message: string, fields: Record<string, unknown>) =>
      tell({ what: "log", atMs: agenda.nowMs(), by, level, message, fields });
    return { info: at("info"), warn: at("warn"), error: at("error") };
  }

  function live({ by, holder }: Process, is: RelayLife["is"]): void {
    tell({ what: "relay", atMs: agenda.nowMs(), by: by.id, holder, is });
  }

  /** Another comes in its place, under the same name or another; the last one always, since somebody notices. */
  function end(process: Process, is: "stopped" | "failed" | "killed"): void {
    if (!running.includes(process)) return;
    running = running.filter((one) => one !== process);
    live(process, is);
    kill(process);
    if (is === "stopped" && running.length > 0) return;
    const chance = dice(`${seed}/after/${process.by.id}`);
    const holder = chance.happens(0.5) ? process.holder : holderOf(chance.whole(0, HOLDERS - 1));
    agenda.at(agenda.nowMs() + chance.pick(RESTART_SECONDS) * 1000, () => start(holder));
  }

  /** Nothing that it asked for comes back, and its connections break. */
  function kill({ by, stops }: Process): void {
    by.environment.isDead = true;
    for (const stop of stops) stop.abort("killed");
  }

  function cut(forMs: number, keep: number | undefined): void {
    cutUntilMs = Math.max(cutUntilMs, agenda.nowMs() + forMs);
    for (const { watches } of running) watches.cut();
    if (keep !== undefined) agenda.at(agenda.nowMs() + forMs, () => store.compact(keep));
  }

  const nth = (which: number) => running[which % Math.max(1, running.length)];

  return {
    strike(fault) {
      const one = "which" in fault ? nth(fault.which) : undefined;
      switch (fault.does) {
        case "start":
          start(holderOf(fault.holder));
          break;
        case "kill":
          if (one !== undefined) end(one, "killed");
          break;
        case "stop":
          one?.stop.abort();
          break;
        case "cut":
          cut(fault.forSeconds * 1000, fault.keep);
          break;
        case "reject":
          rejections = fault.times;
          break;
      }
    },
    crash(by) {
      const process = running.find((one) => one.by === by);
      if (process !== undefined) end(process, "killed");
    },
    clear() {
      rejections = 0;
    },
    close() {
      for (const process of running) kill(process);
      running = [];
    },
  };
}

function holderOf(number: number): string {
  return `relay-${number}`;
}

/** A process is one invocation that lasts. */
function invocation(id: string): Invocation {
  const environment = { isRunning: true, isDead: false, thaw: [], skewMs: 0 } as unknown as Environment;
  const by: Invocation = { id, environment, signal: new AbortController().signal, calls: 0 };
  environment.current = by;
  return by;
}

/** Its calls have names of their own, so that a fault can be meant for a relay alone. */
function asRelays(gate: Gate): Gate {
  return {
    ...gate,
    pass: (by, call, effect) => gate.pass(by, { ...call, name: `relay.${call.name}` }, effect),
  };
}
