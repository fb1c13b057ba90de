import { isPortFault, PortFault, type PortFaultKind } from "#ports/fault";
import type { Key } from "#ports/table";
import type { Agenda } from "#test/storm/agenda";
import { dice } from "#test/storm/chance";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Fact } from "#test/storm/facts";
import type { CallFault, Meddling } from "#test/storm/fault";

/** One call of a port. */
export interface Call {
  /** See `CallFault`. */
  readonly name: string;
  readonly namespace?: string;
  readonly object?: string;
  /** Of an item. */
  readonly key?: Key;
}

/** Where every call of every port passes: it takes time, and what the plan says happens to it. */
export interface Gate {
  /** The call's answer; never settles in an environment that is dead. `effect` happens in one step, or not at all. */
  pass<T>(by: Invocation, call: Call, effect: () => Promise<T>): Promise<T>;
  /** From now on this fault waits for its call. */
  arm(fault: CallFault): void;
  /** No fault is armed any more. */
  disarm(): void;
}

export interface GateOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly tell: (fact: Fact) => void;
  readonly crash: (by: Invocation) => void;
  readonly meddle: (call: Call, does: Meddling, replicas: number) => void;
}

/** What a caller waits at most, as the adapters do. */
const DEADLINE_MS = 5_000;

interface Armed {
  readonly fault: CallFault;
  skip: number;
  left: number;
}

type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

export function openGate({ seed, agenda, tell, crash, meddle }: GateOptions): Gate {
  let armed: Armed[] = [];

  function hits(call: Call): readonly CallFault[] {
    const found: CallFault[] = [];
    for (const one of armed) {
      if (!call.name.startsWith(one.fault.call)) continue;
      if (one.skip > 0) one.skip -= 1;
      else {
        one.left -= 1;
        found.push(one.fault);
      }
    }
    armed = armed.filter(({ left }) => left > 0);
    return found;
  }

  function pass<T>(by: Invocation, call: Call, effect: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (by.environment.isDead) return;
      by.calls += 1;
      const id = `${by.id}/${by.calls}`;
      const chance = dice(`${seed}/${id}`);
      const faults = hits(call);
      for (const { kind } of faults)
        tell({ what: "fault", atMs: agenda.nowMs(), by: by.id, call: call.name, kind });
      if (faults.some((fault) => fault.kind === "crash" && fault.when === "before")) {
        crash(by);
        return;
      }
      const survives = chance.happens(0.5);
      let isAnswered = false;
      const answer = (given: Answer) => {
        if (by.environment.isDead || isAnswered) return;
        if (!by.environment.isRunning) {
          by.environment.thaw.push(() => answer(chance.happens(0.5) ? given : lost(call)));
          return;
        }
        isAnswered = true;
        if (given.ok) resolve(given.value as T);
        else reject(given.error);
      };
      const requestMs = latency(chance.next()) + slowness(faults, "request");
      const answerMs = latency(chance.next()) + slowness(faults, "answer");
      const sentMs = agenda.nowMs();
      agenda.at(sentMs + requestMs, async () => {
        if ((by.environment.isDead && !survives) || isCutOff(call, requestMs)) return;
        const given = await serve(call, faults, effect);
        if (faults.some((fault) => fault.kind === "crash")) {
          if (!by.environment.isDead) crash(by);
          return;
        }
        agenda.at(agenda.nowMs() + answerMs, () => answer(given));
      });
      if (requestMs + answerMs > DEADLINE_MS)
        agenda.at(sentMs + DEADLINE_MS, () => answer(failed("unavailable", call, "no answer within 5 s")));
    });
  }

  async function serve(
    call: Call,
    faults: readonly CallFault[],
    effect: () => Promise<unknown>,
  ): Promise<Answer> {
    const refusals = faults.filter((fault) => fault.kind === "refuse");
    const before = refusals.find(({ when }) => when === "before");
    if (before !== undefined) return failed(before.as, call, "planned");
    const meddlers = faults.filter((fault) => fault.kind === "meddle");
    for (const { when, does, replicas } of meddlers) if (when === "before") meddle(call, does, replicas);
    let given = await settled(effect);
    if (faults.some(({ kind }) => kind === "repeat")) given = await settled(effect);
    for (const { when, does, replicas } of meddlers) if (when === "after") meddle(call, does, replicas);
    const after = refusals.find(({ when }) => when === "after");
    return after === undefined ? given : failed(after.as, call, "planned, after it had its effect");
  }

  return {
    pass,
    arm: (fault) => armed.push({ fault, skip: fault.skip, left: "times" in fault ? fault.times : 1 }),
    disarm() {
      armed = [];
    },
  };
}

async function settled(effect: () => Promise<unknown>): Promise<Answer> {
  try {
    return { ok: true, value: await effect() };
  } catch (error) {
    if (!isPortFault(error)) throw error;
    return { ok: false, error };
  }
}

/** A state is written before its caller gives up, or never; any other write may land later (docs/reliability.md). */
function isCutOff({ name }: Call, requestMs: number): boolean {
  return name === "table.put:state" && requestMs > DEADLINE_MS;
}

/** Mostly a few milliseconds, seldom half a second. */
function latency(chance: number): number {
  return 1 + Math.floor(chance < 0.97 ? chance * 40 : (chance - 0.97) * 15_000);
}

/**
 * The longest: added up, a PUT of a scale would land later than the minute that docs/reliability.md speaks of (seed 11 of
 * 30 minutes).
 */
function slowness(faults: readonly CallFault[], part: "request" | "answer"): number {
  let ms = 0;
  for (const fault of faults)
    if (fault.kind === "slow" && fault.part === part) ms = Math.max(ms, fault.seconds * 1000);
  return ms;
}

function failed(kind: PortFaultKind, call: Call, why: string): Answer {
  return { ok: false, error: new PortFault(kind, `${call.name} ${call.object ?? ""}: ${kind} (${why})`) };
}

function lost(call: Call): Answer {
  return failed("unavailable", call, "the connection was lost while the environment was frozen");
}
