/**
 * The virtual clock of the local host: a discrete-event scheduler.
 *
 * Time moves only inside `runUntil`, from timer to timer. A timer's `run` is awaited, then every hold, and only then
 * comes the next timer, also one of the same instant: whatever an instant sets going is finished before time moves on.
 * With a `speed` the clock never runs ahead of its wall target (virtual start + wall time * speed); work that takes
 * long makes it fall behind and catch up, timer by timer. So speed decides when things are seen, never what happens.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "#ports/clock";

export interface HostClock extends Clock {
  /** Whether time is this clock's own; if not, nothing can hold it. */
  readonly isVirtual: boolean;
  /** The virtual instant, epoch milliseconds, whole; never goes back. Stands still while anything is held or running. */
  nowMs(): number;
  /**
   * Calls `run` once at the instant, or as soon as may be where that has passed. Timers of one instant run by rank,
   * lower first, then in the order they were asked for. What `run` throws ends `runUntil`.
   */
  at(atMs: number, run: () => unknown, rank?: number): Timer;
  /** Time stands still until the returned function is called (calling it again does nothing). */
  hold(): () => void;
  /** Lets time run up to the instant, timers at the instant included; resolves there, or when the clock is stopped. */
  runUntil(atMs: number): Promise<void>;
  /** Ends `runUntil` at once, whatever is held; no timer runs afterwards. */
  stop(): void;
}

export interface Timer {
  cancel(): void;
}

/** The world moves before the cloud looks at it: a sample of 12:00:00 is there for the slot of 12:00:00. */
export const RANK = { world: 0, cloud: 1 } as const;

export interface VirtualClockOptions {
  readonly startMs: number;
  /** Virtual seconds per wall second; absent: as fast as the work allows. */
  readonly speed?: number;
}

/** So many timers run in one go before sockets and signals get a turn: a clock that is behind must not deafen the host. */
const TIMERS_PER_TURN = 200;

/** Node's timers hold 31 bits of milliseconds; a longer sleep is slept in pieces. */
export const LONGEST_SLEEP_MS = 2 ** 31 - 1;

export function virtualClock({ startMs, speed }: VirtualClockOptions): HostClock {
  const timers = new Agenda();
  let now = Math.floor(startMs);
  let pace: Pace | undefined;
  let busy = false;
  let stopped = false;
  const holds = new Set<symbol>();
  let wake = () => {};

  /** Where an idle clock stands: at its wall target, but never past a timer that is still to run. */
  function drift(): void {
    if (pace === undefined || busy || holds.size > 0) return;
    const target = Math.min(pace.targetMs(), timers.next()?.atMs ?? Number.POSITIVE_INFINITY);
    now = Math.max(now, Math.floor(target));
  }

  /** Until someone changes something: a new timer, the end of a hold, `stop`; or for so long. */
  async function sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timeout = Number.isFinite(ms) ? setTimeout(resolve, Math.min(ms, LONGEST_SLEEP_MS)) : undefined;
      wake = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
    wake = () => {};
  }

  async function quiet(): Promise<void> {
    while (holds.size > 0 && !stopped) {
      await sleep(Number.POSITIVE_INFINITY);
      // Whoever waited for what was held may take the next hold in this same turn.
      await turn();
    }
  }

  return {
    isVirtual: true,
    nowMs() {
      drift();
      return now;
    },
    at(atMs, run, rank = RANK.world) {
      const timer = timers.add(atMs, rank, run);
      wake();
      return timer;
    },
    hold() {
      drift();
      const mine = Symbol();
      holds.add(mine);
      return () => {
        if (holds.delete(mine) && holds.size === 0) wake();
      };
    },
    async runUntil(untilMs) {
      if (pace !== undefined) throw new Error("the clock is running already");
      try {
        pace = paceOf(now, untilMs, speed);
        for (let ran = 1; ; ran += 1) {
          await quiet();
          if (ran % TIMERS_PER_TURN === 0) await turn();
          if (stopped) return;
          const due = timers.next();
          const targetMs = pace.targetMs();
          if (due !== undefined && due.atMs <= targetMs) {
            timers.shift();
            now = Math.max(now, due.atMs);
            busy = true;
            await due.run();
            busy = false;
          } else if (targetMs >= untilMs) {
            now = Math.max(now, untilMs);
            return;
          } else {
            await sleep(pace.wallMsTo(Math.min(due?.atMs ?? untilMs, untilMs)));
          }
        }
      } finally {
        busy = false;
        pace = undefined;
      }
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}

/** How far virtual time may be, and how long a wall clock needs to let it be there. */
interface Pace {
  targetMs(): number;
  wallMsTo(virtualMs: number): number;
}

function paceOf(startMs: number, untilMs: number, speed: number | undefined): Pace {
  if (speed === undefined) return { targetMs: () => untilMs, wallMsTo: () => 0 };
  const wallStart = performance.now();
  const targetMs = () => Math.min(untilMs, startMs + (performance.now() - wallStart) * speed);
  return { targetMs, wallMsTo: (virtualMs) => Math.max(0, Math.ceil((virtualMs - targetMs()) / speed)) };
}

interface Entry {
  readonly atMs: number;
  readonly rank: number;
  readonly sequence: number;
  readonly run: () => unknown;
}

/** Timers in the order in which they run. */
class Agenda {
  /** The last is the next one due, so that taking it moves nothing. */
  readonly #entries: Entry[] = [];
  #sequence = 0;

  add(atMs: number, rank: number, run: () => unknown): Timer {
    if (!Number.isFinite(atMs)) throw new Error(`invariant: a timer at ${atMs}`);
    const entry: Entry = { atMs: Math.ceil(atMs), rank, sequence: this.#sequence++, run };
    this.#entries.splice(this.#indexOf(entry), 0, entry);
    return {
      cancel: () => {
        const index = this.#indexOf(entry);
        if (this.#entries[index] === entry) this.#entries.splice(index, 1);
      },
    };
  }

  next(): Entry | undefined {
    return this.#entries.at(-1);
  }

  shift(): void {
    this.#entries.pop();
  }

  #indexOf(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(this.#entries[middle] as Entry, entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isLater(a: Entry, b: Entry): boolean {
  if (a.atMs !== b.atMs) return a.atMs > b.atMs;
  if (a.rank !== b.rank) return a.rank > b.rank;
  return a.sequence > b.sequence;
}
