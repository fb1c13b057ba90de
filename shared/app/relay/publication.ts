import { backOffMs } from "#domain/relay/back-off";
import { Positions } from "#domain/relay/positions";
import { changeOf } from "#domain/relay/watched-object";
import type { BusEvent } from "#ports/bus";
import { isPortFault } from "#ports/fault";
import type { LogEntry, RelayCheckpoint } from "#wire/relay-checkpoint";
import type { RelayDeps } from "./deps.ts";
import { latestOf, objectEvents, type SourceChange } from "./events.ts";
import { RESUME_BEHIND_MS } from "./follow-source.ts";
import type { Arrival } from "./inbox.ts";
import { isStillHeld, RENEW_MS, storeCheckpoint, type TakeOver } from "./lease.ts";
import { dropBase, type Memory, writeBase } from "./memory.ts";

/** Where a method says whether, false means that nothing more may be done: the lease is lost, or the time is over. */
export interface Publication {
  readonly isLost: boolean;
  /** Publishes again what the last holder announced and may not have published. */
  settle(): Promise<boolean>;
  /** Works off what has arrived: what matters is announced, published and confirmed. */
  work(arrivals: readonly Arrival[]): Promise<boolean>;
  /** Makes sure of the lease, and writes down how far it is where that is due. */
  checkpoint(): Promise<boolean>;
  /** The last checkpoint, which sets the lease free. */
  release(): Promise<boolean>;
  /** Where a source's watch goes on; undefined: with a list. */
  resumeAt(source: string): string | undefined;
  msToRenewal(): number;
}

/** A function writes down how far it is so often, where nothing is published. */
const WRITE_MS = 30_000;
/** So many changes are announced in one write. */
const ROUND = 64;
/** The log is kept short, since every write carries it, and long enough that the base, which is large, is written rarely. */
const SHORTEST_LOG = 16;
const LONGEST_LOG = 64;
const OBJECTS_PER_ENTRY = 50;

/** So many changes the log may hold before they become part of the base. */
export function logLimit(objects: number): number {
  return Math.max(SHORTEST_LOG, Math.min(LONGEST_LOG, objects / OBJECTS_PER_ENTRY));
}

export function openPublication(
  deps: RelayDeps,
  taken: RelayCheckpoint,
  memory: Memory,
  takeOver: TakeOver,
  stop: AbortSignal,
): Publication {
  const { timers } = deps;
  const sources = new Map(deps.sources.map((source) => [source.name, source]));
  const positions = new Map<string, Positions>();
  let current = taken;
  let storedAtMs = timers.nowMs();
  /** The lease was written or looked at. */
  let heldAtMs = storedAtMs;
  let isLost = false;
  /** What was seen has changed without an entry in the log. */
  let unlogged = 0;
  /** What was seen holds changes that are not published: it must not become the base. */
  let isAhead = false;

  for (const [source, resourceVersion] of Object.entries(taken.positions)) {
    if (memory.knows(source)) positionsOf(source).restart(resourceVersion, timers.nowMs());
  }

  function positionsOf(source: string): Positions {
    const known = positions.get(source) ?? new Positions(RESUME_BEHIND_MS);
    positions.set(source, known);
    return known;
  }

  async function store(changed: Partial<RelayCheckpoint>): Promise<boolean> {
    const done = [...positions].flatMap(([source, at]) => {
      const version = at.from();
      return version === undefined ? [] : [[source, version] as const];
    });
    const next = { ...current, positions: { ...current.positions, ...Object.fromEntries(done) }, ...changed };
    const stored = await storeCheckpoint(deps, next, stop);
    if (stored === undefined) {
      isLost = true;
      return false;
    }
    current = stored;
    storedAtMs = timers.nowMs();
    heldAtMs = storedAtMs;
    return true;
  }

  /** Nobody stands by for a function, so that it need not write to be seen alive, only look whether the next one is there. */
  async function keepLease(): Promise<boolean> {
    const isWriteDue = takeOver === "when-free" || timers.nowMs() - storedAtMs >= WRITE_MS;
    if (isWriteDue) return store({});
    isLost = !(await isStillHeld(deps, current));
    heldAtMs = timers.nowMs();
    return !isLost;
  }

  /** True when all were taken; false when the lease was lost or the time is over meanwhile. */
  async function publish(events: readonly BusEvent[]): Promise<boolean> {
    const startedMs = timers.nowMs();
    let rest = events;
    for (let failures = 1; ; failures++) {
      const { left, reason } = await put(rest);
      if (left.length === 0) break;
      rest = left;
      const againMs = backOffMs(failures, deps.chance());
      deps.tell({ kind: "fault", where: "the bus", message: reason, againMs });
      if (stop.aborted) return false;
      await timers.sleep(againMs, stop);
      if (renewalIsDue() && !(await keepLease())) return false;
    }
    deps.tell({ kind: "published", events: events.length, tookMs: timers.nowMs() - startedMs });
    return true;
  }

  async function put(events: readonly BusEvent[]) {
    try {
      const failed = await deps.bus.put(events);
      return { left: failed.map(({ event }) => event), reason: failed[0]?.reason ?? "" };
    } catch (error) {
      if (!isPortFault(error)) throw error;
      return { left: events, reason: error.message };
    }
  }

  /** Announces, publishes, and holds as confirmed what the next write will say is. */
  async function tellOf(all: readonly SourceChange[]): Promise<boolean> {
    const changes = latestOf(all);
    isAhead = changes.length > 0;
    for (let i = 0; i < changes.length; i += ROUND) {
      const round = changes.slice(i, i + ROUND);
      const entries: LogEntry[] = round.map(({ source, change, object }) => ({
        source: source.name,
        ...{ change, object },
      }));
      if (!(await store({ log: [...current.log, ...entries] }))) return false;
      if (!(await publish(objectEvents(deps.hub, round, deps.clock.nowMs())))) return false;
      current = { ...current, confirmed: current.log.length };
      const isLong = current.log.length >= logLimit(memory.size);
      if (isLong && !(await rebase(changes.slice(i + ROUND)))) return false;
    }
    isAhead = false;
    return true;
  }

  async function rebase(untold: readonly SourceChange[] = []): Promise<boolean> {
    const base = await writeBase(deps, memory, untold);
    const { base: former } = current;
    if (!(await store({ base, log: [], confirmed: 0 }))) return false;
    unlogged = 0;
    if (former !== undefined) await dropBase(deps, former);
    return true;
  }

  /** What it changes of what a decision looks at. */
  function changesOf(arrival: Arrival): readonly SourceChange[] {
    const { source } = arrival;
    if (arrival.kind === "bookmark") return [];
    const seen = memory.of(source.name);
    const changes =
      arrival.kind === "list"
        ? seen.replace(arrival.objects)
        : [seen.observe(arrival.type, arrival.object)].filter((change) => change !== undefined);
    const told = changes.filter(({ object }) => !source.onlyTargets || memory.isTarget(object.target));
    unlogged += changes.length - told.length;
    return told.map((change) => ({ ...change, source }));
  }

  const renewalIsDue = () => timers.nowMs() - heldAtMs >= RENEW_MS;

  function note(arrival: Arrival): void {
    const { source } = arrival;
    const version = arrival.kind === "event" ? arrival.object.resourceVersion : arrival.resourceVersion;
    if (arrival.kind === "list") positionsOf(source.name).restart(version, timers.nowMs());
    else positionsOf(source.name).note(version, timers.nowMs());
    deps.tell({ kind: "handled", source: source.name, resourceVersion: version });
  }

  return {
    get isLost() {
      return isLost;
    },
    async settle() {
      const open = current.log.slice(current.confirmed).flatMap(({ source: name, change, object }) => {
        const source = sources.get(name);
        return source === undefined ? [] : [{ ...changeOf(change, object), source }];
      });
      if (open.length > 0 && !(await publish(objectEvents(deps.hub, open, deps.clock.nowMs())))) return false;
      current = { ...current, confirmed: current.log.length };
      return true;
    },
    async work(arrivals) {
      let changes: SourceChange[] = [];
      for (const arrival of arrivals) {
        if (arrival.kind === "list" && !memory.knows(arrival.source.name)) {
          if (!(await tellOf(changes))) return false;
          changes = [];
          memory.begin(arrival.source.name, arrival);
          // From here on a change is one: what it is one from has to be on record first.
          if (!(await rebase())) return false;
        } else changes.push(...changesOf(arrival));
      }
      if (!(await tellOf(changes))) return false;
      for (const arrival of arrivals) note(arrival);
      return true;
    },
    checkpoint: () => (unlogged >= LONGEST_LOG ? rebase() : keepLease()),
    async release() {
      if (unlogged > 0 && !isAhead && !(await rebase())) return false;
      return store({ released: true });
    },
    resumeAt: (source) => positions.get(source)?.from(),
    msToRenewal: () => Math.max(0, RENEW_MS - (timers.nowMs() - heldAtMs)),
  };
}
