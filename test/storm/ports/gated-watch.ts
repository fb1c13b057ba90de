import { PortFault } from "#ports/fault";
import type { KubernetesPort, ResourceRef, Server, WatchEvent, WatchQuery } from "#ports/kubernetes";
import type { Agenda } from "#test/storm/agenda";
import type { Dice } from "#test/storm/chance";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Gate } from "./gate.ts";

/** The watches of one process, behind the gate and on virtual time. */
export interface GatedWatches {
  readonly watch: KubernetesPort["watch"];
  /** Breaks every open stream: what is on its way does not come. */
  cut(): void;
}

export interface GatedWatchesOptions {
  readonly port: KubernetesPort;
  readonly by: Invocation;
  readonly gate: Pick<Gate, "pass">;
  readonly agenda: Agenda;
  readonly chance: Dice;
  /** Whether the hub takes no watch now. */
  readonly isCut: () => boolean;
}

/** An event comes so much later than it happened, at most. */
const LONGEST_MS = 300;
/** The port's own time-out is by the real clock, and no storm takes so long. */
const NEVER_SECONDS = 86_400;

export function gatedWatches(options: GatedWatchesOptions): GatedWatches {
  const { port, by, gate, agenda, chance, isCut } = options;
  const streams = new Set<Stream>();

  /** Begins to listen now; what the server answers in place of a stream comes from the stream. */
  async function open(at: Server, resource: ResourceRef, query: WatchQuery): Promise<Stream> {
    if (isCut()) throw new PortFault("unavailable", `watch ${resource.resource}: planned`);
    const stream = new Stream(agenda, chance);
    const { signal } = stream;
    stream.listen(port.watch(at, resource, { ...query, timeoutSeconds: NEVER_SECONDS, signal }));
    streams.add(stream);
    agenda.at(agenda.nowMs() + query.timeoutSeconds * 1000, () => stream.end());
    return stream;
  }

  return {
    async *watch(at, resource, query) {
      const call = { name: `hub.watch:${resource.resource}` };
      const stream = await gate.pass(by, call, () => open(at, resource, query));
      const close = () => stream.break();
      query.signal?.addEventListener("abort", close, { once: true });
      try {
        if (query.signal?.aborted !== true) yield* stream.events();
      } finally {
        query.signal?.removeEventListener("abort", close);
        close();
        streams.delete(stream);
      }
    },
    cut() {
      for (const stream of streams) stream.break();
    },
  };
}

/** What one watch says, in order, each a moment after it happened. */
class Stream {
  readonly #agenda: Agenda;
  readonly #chance: Dice;
  readonly #stop = new AbortController();
  /** On their way. */
  #sent: WatchEvent[] = [];
  #arrived: WatchEvent[] = [];
  #state: "open" | "ending" | "ended" | "broken" = "open";
  #failure: unknown;
  #wake = () => {};

  constructor(agenda: Agenda, chance: Dice) {
    this.#agenda = agenda;
    this.#chance = chance;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  async listen(events: AsyncIterable<WatchEvent>): Promise<void> {
    try {
      for await (const event of events) this.#send(event);
      this.#state = this.#state === "broken" ? "broken" : "ending";
      this.#send();
    } catch (error) {
      this.#failure = error;
      this.break();
    }
  }

  /** Its time is over: what is on its way comes, and a bookmark. */
  end(): void {
    this.#stop.abort("over");
  }

  break(): void {
    if (this.#state === "ended") return;
    this.#state = "broken";
    this.#stop.abort("over");
    this.#wake();
  }

  async *events(): AsyncGenerator<WatchEvent> {
    while (true) {
      for (let next = this.#arrived.shift(); next !== undefined; next = this.#arrived.shift()) yield next;
      if (this.#state === "ended") return;
      if (this.#state === "broken")
        throw this.#failure ?? new PortFault("unavailable", "watch: the connection was cut");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #send(event?: WatchEvent): void {
    const isFirst = this.#sent.length === 0;
    if (event !== undefined) this.#sent.push(event);
    if (!isFirst && event !== undefined) return;
    this.#agenda.at(this.#agenda.nowMs() + this.#chance.whole(1, LONGEST_MS), () => {
      if (this.#state === "broken") return;
      this.#arrived.push(...this.#sent);
      this.#sent = [];
      if (this.#state === "ending") this.#state = "ended";
      this.#wake();
    });
  }
}
