import { relayTurn } from "#app/relay/relay-turn";
import { runRelay } from "#app/relay/run-relay";
import { HubLife } from "./hub-life.ts";
import { judge } from "./judge.ts";
import { type RelayWorld, relayWorld, START_MS } from "./relay-world.ts";
import { CALM } from "./watch-server.ts";

/** What a schedule did, so that a test can say that all of it has been done. */
export interface Tally {
  changes: number;
  events: number;
  kills: number;
  turns: number;
  compactions: number;
  restarts: number;
  takeOvers: number;
  faults: number;
}

const SETTLED_MS = 1_000;
const STORM_MS = 15_000;
/** Longer than a connection that hangs, the longest back-off and a lease together. */
const CALM_MS = 40_000;
const LOOK_MS = 2_000;

/** One seeded schedule, whole: calm until the first checkpoint, then a storm, then calm. Returns what went wrong. */
export async function runSchedule(
  seed: string,
  tally: Tally,
  observe?: (line: string) => void,
): Promise<readonly string[]> {
  const world = relayWorld(seed, observe);
  const life = new HubLife(world);
  const relays = new Relays(world, tally);
  relays.start();
  await world.agenda.runUntil(START_MS + SETTLED_MS);
  const sinceMs = world.agenda.nowMs();

  const { dice, agenda, server } = world;
  const endMs = sinceMs + STORM_MS;
  const step = () => {
    if (agenda.nowMs() >= endMs) return;
    const turn = dice.next();
    if (turn < 0.72) life.happen();
    else if (turn < 0.78) relays.disturb();
    else if (turn < 0.82) {
      server.store.compact(dice.whole(0, 2));
      tally.compactions += 1;
    } else if (turn < 0.85) {
      server.restart(dice.whole(100, 4_000));
      tally.restarts += 1;
    } else weather(world);
    agenda.at(agenda.nowMs() + dice.whole(20, 600), step);
  };
  agenda.at(sinceMs + 1, step);
  await agenda.runUntil(endMs);

  server.faults = CALM;
  world.cloud = { table: 0, bus: 0 };
  relays.start();
  let findings: readonly string[] = [];
  for (let atMs = endMs + LOOK_MS; atMs <= endMs + CALM_MS; atMs += LOOK_MS) {
    await agenda.runUntil(atMs);
    findings = judge(life, world.delivered, sinceMs);
    if (findings.length === 0) break;
  }
  tally.changes += life.changes.length;
  tally.events += world.delivered.length;
  for (const change of life.changes)
    observe?.(JSON.stringify({ ...change, atMs: (change.atMs - START_MS) / 1000 }));
  relays.end();
  tally.faults += relays.faults();
  return findings;
}

/** Faults for a while: each schedule draws which, and how often. */
function weather(world: RelayWorld): void {
  const { server, dice, agenda } = world;
  const rate = () => (dice.happens(0.4) ? dice.next() * 0.3 : 0);
  server.faults = {
    ...{ cut: rate(), hang: rate() / 3, refuse: rate(), twice: rate(), late: 2 * rate() },
    goneAsStatus: dice.next(),
  };
  world.cloud = { table: rate(), bus: rate() };
  agenda.at(agenda.nowMs() + dice.whole(500, 6_000), () => {
    server.faults = CALM;
    world.cloud = { table: 0, bus: 0 };
  });
}

/** The relays of a schedule: none, one or several, started, told to stop, or killed. */
class Relays {
  readonly #world: RelayWorld;
  readonly #tally: Tally;
  readonly #all: { readonly relay: ReturnType<RelayWorld["relay"]>; readonly stop: AbortController }[] = [];

  constructor(world: RelayWorld, tally: Tally) {
    this.#world = world;
    this.#tally = tally;
  }

  start(): void {
    const { dice } = this.#world;
    const relay = this.#world.relay(`relay-${this.#all.length}`);
    const stop = new AbortController();
    this.#all.push({ relay, stop });
    // A process that lives long, or functions that are called one after another.
    const isProcess = this.#all.length === 1 || dice.happens(0.6);
    const work = isProcess ? runRelay(relay.deps, stop.signal) : this.#turns(relay.deps, stop.signal);
    work.catch(() => {});
  }

  async #turns(deps: Parameters<typeof relayTurn>[0], stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const turn = new AbortController();
      const end = () => turn.abort();
      stop.addEventListener("abort", end, { once: true });
      this.#world.agenda.at(this.#world.agenda.nowMs() + this.#world.dice.whole(1_000, 8_000), end);
      await relayTurn(deps, "at-once", turn.signal).catch(() => {});
      stop.removeEventListener("abort", end);
      this.#tally.turns += 1;
      await deps.timers.sleep(this.#world.dice.whole(0, 1_000), stop);
    }
  }

  disturb(): void {
    const { dice } = this.#world;
    const turn = dice.next();
    const one = this.#all[this.#all.length - 1 - dice.whole(0, Math.min(1, this.#all.length - 1))];
    if (turn < 0.4) {
      one?.relay.kill();
      this.#tally.kills += 1;
    } else if (turn < 0.7) one?.stop.abort();
    if (turn < 0.9) {
      this.#tally.takeOvers += 1;
      this.#world.agenda.at(this.#world.agenda.nowMs() + dice.whole(0, 6_000), () => this.start());
    }
  }

  end(): void {
    for (const { stop } of this.#all) stop.abort();
  }

  faults(): number {
    return this.#all.flatMap(({ relay }) => relay.told).filter(({ kind }) => kind === "fault").length;
  }
}
