import type { WatchedObject } from "#domain/relay/watched-object";
import type { Stop, Timers } from "#ports/timers";
import type { RelayDeps } from "./deps.ts";
import type { Source } from "./sources.ts";

/** What a source says, reduced to what matters. */
export type Arrival =
  | {
      readonly kind: "event";
      readonly source: Source;
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly object: WatchedObject;
    }
  | { readonly kind: "bookmark"; readonly source: Source; readonly resourceVersion: string }
  | {
      readonly kind: "list";
      readonly source: Source;
      readonly objects: readonly WatchedObject[];
      readonly resourceVersion: string;
    };

/** Beyond so many, nobody reads on: the server would rather end a watch than have all of it in memory here. */
const FULL = 5_000;
const FULL_PAUSE_MS = 50;

/** Where the sources' watches put what comes, and the one who publishes takes it out, in the order in which it came. */
export class Inbox {
  readonly #timers: Timers;
  readonly #newStop: () => Stop;
  #arrived: Arrival[] = [];
  #wake = () => {};

  constructor({ timers, newStop }: Pick<RelayDeps, "timers" | "newStop">) {
    this.#timers = timers;
    this.#newStop = newStop;
  }

  get isEmpty(): boolean {
    return this.#arrived.length === 0;
  }

  add(arrival: Arrival): void {
    this.#arrived.push(arrival);
    this.#wake();
  }

  take(): readonly Arrival[] {
    const taken = this.#arrived;
    this.#arrived = [];
    return taken;
  }

  /** Until there is room again. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.#arrived.length > FULL && !signal.aborted) await this.#timers.sleep(FULL_PAUSE_MS, signal);
  }

  /** Until something is in it, the time is over or the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || signal.aborted) return;
    const waiting = this.#newStop();
    const end = () => waiting.abort();
    this.#wake = end;
    signal.addEventListener("abort", end, { once: true });
    await this.#timers.sleep(ms, waiting.signal);
    signal.removeEventListener("abort", end);
    this.#wake = () => {};
  }
}
