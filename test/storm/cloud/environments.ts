import type { HubCache } from "#app/load/context";
import type { RouteMemory } from "#app/route/memory";
import { isPortFault } from "#ports/fault";
import type { Agenda } from "#test/storm/agenda";
import { dice } from "#test/storm/chance";
import type { Ending, Fact } from "#test/storm/facts";

/** One execution environment of a function: lives over several invocations, one at a time, and is frozen in between. */
export interface Environment {
  isRunning: boolean;
  /** Nothing in it goes on, and no call of it is answered. */
  isDead: boolean;
  /** Answers that came while it was frozen: they are heard when it runs again. */
  thaw: (() => void)[];
  /** How far its clock is off. */
  skewMs: number;
  /** Who makes the calls of what belongs to the environment. */
  current: Invocation;
  cache: HubCache | undefined;
  memory: RouteMemory | undefined;
}

export interface Invocation {
  /** Function and number; unique. */
  readonly id: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  calls: number;
}

export interface Environments {
  /** Whether another invocation could start now. */
  hasRoom(): boolean;
  /** Whether an invocation is under way. */
  isWorking(): boolean;
  /** Runs `work` in an environment; `ended` is called once, with what it returned when it came to an end by itself. */
  invoke<T>(
    work: (invocation: Invocation) => Promise<T>,
    ended: (how: Ending, value?: T) => void,
  ): Invocation;
  crash(invocation: Invocation): void;
  /** Clocks of invocations that start from now on are off by so much. */
  skew(ms: number): void;
  /** Idle environments are gone. */
  recycle(): void;
}

export interface EnvironmentsOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly fn: string;
  readonly most: number;
  readonly timeoutSeconds: number;
  readonly tell: (fact: Fact) => void;
}

/** How long before its time-out an invocation's work is told to end, and is stopped (`lambda/chain`). */
const TOLD_EARLY_MS = 2_000;
const STOPPED_EARLY_MS = 300;
const THAW_MS = 50;

export function openEnvironments(options: EnvironmentsOptions): Environments {
  const { seed, agenda, fn, most, timeoutSeconds, tell } = options;
  const chance = dice(`${seed}/${fn}`);
  let environments: Environment[] = [];
  let skewMs = 0;
  let started = 0;
  const endings = new Map<Invocation, (how: Ending, value?: unknown) => void>();

  function environment(): Environment {
    const idle = environments.filter(({ isRunning }) => !isRunning);
    const found = idle.length > 0 ? chance.pick(idle) : undefined;
    if (found !== undefined) return found;
    const made = { isRunning: false, isDead: false, thaw: [], skewMs: 0 } as unknown;
    environments.push(made as Environment);
    return made as Environment;
  }

  function end(invocation: Invocation, how: Ending, value?: unknown): void {
    const ended = endings.get(invocation);
    if (ended === undefined) return;
    endings.delete(invocation);
    invocation.environment.isRunning = false;
    tell({ what: "ended", atMs: agenda.nowMs(), by: invocation.id, how });
    ended(how, value);
  }

  return {
    isWorking: () => environments.some(({ isRunning }) => isRunning),
    hasRoom: () => environments.filter(({ isRunning }) => isRunning).length < most,
    invoke(work, ended) {
      const home = environment();
      const startMs = agenda.nowMs();
      started += 1;
      const told = new AbortController();
      const invocation: Invocation = {
        id: `${fn}#${started}`,
        environment: home,
        signal: told.signal,
        calls: 0,
      };
      home.isRunning = true;
      home.skewMs = skewMs;
      home.current = invocation;
      endings.set(invocation, ended as (how: Ending, value?: unknown) => void);
      const { thaw } = home;
      home.thaw = [];
      for (const answer of thaw) agenda.at(startMs + chance.whole(1, THAW_MS), answer);
      const endMs = startMs + timeoutSeconds * 1000;
      agenda.at(endMs - TOLD_EARLY_MS, () => endings.has(invocation) && told.abort());
      agenda.at(endMs - STOPPED_EARLY_MS, () => end(invocation, "timed-out"));
      work(invocation).then(
        (value) => end(invocation, "done", value),
        (error: unknown) => {
          const text = error instanceof Error ? (isPortFault(error) ? error.message : error.stack) : error;
          const fields = { error: String(text) };
          const message = "invocation failed";
          tell({ what: "log", atMs: agenda.nowMs(), by: invocation.id, level: "error", message, fields });
          end(invocation, "failed");
        },
      );
      return invocation;
    },
    crash({ environment: home }) {
      home.isDead = true;
      environments = environments.filter((one) => one !== home);
      // What died may be a leftover of an earlier invocation; it takes the one that runs now with it.
      end(home.current, "crashed");
    },
    skew(ms) {
      skewMs = ms;
    },
    recycle() {
      for (const one of environments) if (!one.isRunning) one.isDead = true;
      environments = environments.filter(({ isRunning }) => isRunning);
    },
  };
}
