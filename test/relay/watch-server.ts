import type { Answer } from "#adapters/kubernetes/answer";
import type { Call } from "#adapters/kubernetes/call";
import { guarded, type OpenAnswer, type Transport } from "#adapters/kubernetes/transport";
import { type Change, Store, type StoredResource } from "#sim/api/store";
import type { Agenda } from "#test/storm/agenda";
import type { Dice } from "#test/storm/chance";

/** What the network and the server may do; each in [0, 1), asked where it may happen. */
export interface WatchFaults {
  /** An answer, or a stream, is cut at some byte. */
  readonly cut: number;
  /** A request, or a stream, says nothing more, and stays open. */
  readonly hang: number;
  /** A request is refused: 401, 429 or 503. */
  readonly refuse: number;
  /** An event comes twice. */
  readonly twice: number;
  /** An event comes after the next one. */
  readonly late: number;
  /** A 410 comes as the answer's status, not as an event of the stream. */
  readonly goneAsStatus: number;
}

export const CALM: WatchFaults = { cut: 0, hang: 0, refuse: 0, twice: 0, late: 0, goneAsStatus: 0.5 };

const encoder = new TextEncoder();

/**
 * A small API server, lists and watches over one store, behind the adapter's own transport: so every line that a relay
 * reads comes through the code that reads a real server's bytes.
 */
export class WatchServer {
  readonly store = new Store();
  faults: WatchFaults = CALM;
  readonly #agenda: Agenda;
  readonly #dice: Dice;
  readonly #streams = new Set<Stream>();
  #downUntilMs = 0;

  constructor(agenda: Agenda, dice: Dice) {
    this.#agenda = agenda;
    this.#dice = dice;
  }

  /** Every connection breaks, and none is taken for a while. What was stored is there again afterwards. */
  restart(forMs: number): void {
    this.#downUntilMs = this.#agenda.nowMs() + forMs;
    for (const stream of this.#streams) stream.break();
  }

  /** How many streams are open. */
  get watches(): number {
    return this.#streams.size;
  }

  readonly transport: Transport = {
    send: (call, signal) => guarded(call, signal, () => this.#list(call)),
    open: (call, signal) => guarded(call, signal, () => this.#watch(call, signal)),
    close: async () => {},
  };

  async #list(call: Call): Promise<Answer> {
    const status = await this.#enter();
    if (status !== 200) return { status, headers: {}, body: statusBody(status) };
    const metadata = { resourceVersion: String(this.store.resourceVersion) };
    const body = JSON.stringify({ metadata, items: this.store.list(parsePath(call.path).of) });
    const isCut = this.#dice.happens(this.faults.cut);
    return { status, headers: {}, body: isCut ? body.slice(0, this.#dice.whole(0, body.length - 1)) : body };
  }

  async #watch(call: Call, signal: AbortSignal): Promise<OpenAnswer> {
    const status = await this.#enter(signal);
    if (status !== 200) return answer(status, once(statusBody(status)));
    const { of, query } = parsePath(call.path);
    const missed = this.store.changesSince(Number(query.get("resourceVersion")));
    if (missed === undefined) {
      const gone = statusBody(410);
      if (this.#dice.happens(this.faults.goneAsStatus)) return answer(410, once(gone));
      return answer(200, once(`${JSON.stringify({ type: "ERROR", object: JSON.parse(gone) })}\n`));
    }
    const stream = new Stream(this, this.#agenda, this.#dice, of, signal);
    this.#streams.add(stream);
    stream.onEnd = () => this.#streams.delete(stream);
    for (const change of missed) stream.say(change);
    const endMs = this.#agenda.nowMs() + Number(query.get("timeoutSeconds")) * 1000;
    this.#agenda.at(endMs, () => stream.end());
    return answer(200, stream);
  }

  async #enter(signal?: AbortSignal): Promise<number> {
    await this.#pass(this.#dice.whole(1, 20));
    if (signal !== undefined && this.#dice.happens(this.faults.hang)) await hang(signal);
    if (this.#agenda.nowMs() < this.#downUntilMs) throw refusedConnection();
    return this.#dice.happens(this.faults.refuse) ? this.#dice.pick([401, 429, 503]) : 200;
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.#agenda.at(this.#agenda.nowMs() + ms, resolve));
  }
}

/** The bytes of one watch, as they come over the network: in pieces of any size. */
class Stream implements AsyncIterable<Uint8Array> {
  onEnd = () => {};
  readonly #server: WatchServer;
  readonly #agenda: Agenda;
  readonly #dice: Dice;
  readonly #of: StoredResource;
  readonly #unsubscribe: () => void;
  #chunks: Uint8Array[] = [];
  #held: string | undefined;
  #state: "open" | "silent" | "ended" | "broken" = "open";
  #wake = () => {};

  constructor(server: WatchServer, agenda: Agenda, dice: Dice, of: StoredResource, signal: AbortSignal) {
    this.#server = server;
    this.#agenda = agenda;
    this.#dice = dice;
    this.#of = of;
    this.#unsubscribe = server.store.subscribe((change) => this.say(change));
    signal.addEventListener("abort", () => this.break(), { once: true });
  }

  say({ type, group, resource, object, resourceVersion }: Change): void {
    const { faults } = this.#server;
    if (group !== this.#of.group || resource !== this.#of.resource) {
      if (this.#dice.happens(0.1)) this.#write(bookmark(resourceVersion));
      return;
    }
    const line = `${JSON.stringify({ type, object })}\n`;
    const lines = this.#held === undefined ? [line] : [line, this.#held];
    this.#held = undefined;
    if (lines.length === 1 && this.#dice.happens(faults.late)) {
      // It follows the next one, or comes by itself after a moment.
      this.#held = line;
      this.#agenda.at(this.#agenda.nowMs() + 1_500, () => this.#release());
      return;
    }
    const text = lines.map((one) => (this.#dice.happens(faults.twice) ? one + one : one)).join("");
    // Where it hurts most: between two that come in the wrong order.
    this.#write(text, lines.length * faults.cut);
  }

  #release(): void {
    if (this.#held === undefined) return;
    const held = this.#held;
    this.#held = undefined;
    this.#write(held);
  }

  #write(text: string, cut = this.#server.faults.cut): void {
    if (this.#state !== "open") return;
    const { faults } = this.#server;
    const bytes = encoder.encode(text);
    const length = this.#dice.happens(cut) ? this.#dice.whole(0, bytes.length) : undefined;
    const middle = this.#dice.whole(0, bytes.length);
    this.#chunks.push(...[bytes.slice(0, middle), bytes.slice(middle)].filter((part) => part.length > 0));
    if (length !== undefined) {
      this.#chunks = [bytes.slice(0, length)];
      this.#leave("broken");
    } else if (this.#dice.happens(faults.hang)) this.#leave("silent");
    this.#wake();
  }

  end(): void {
    this.#release();
    if (this.#state === "open") this.#leave("ended");
  }

  break(): void {
    this.#leave("broken");
  }

  #leave(state: "silent" | "ended" | "broken"): void {
    this.#unsubscribe();
    this.#state = state;
    if (state !== "silent") this.onEnd();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) yield chunk;
        if (this.#state === "ended") return;
        if (this.#state === "broken") throw new Error("socket hang up");
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#unsubscribe();
      this.onEnd();
    }
  }

  async text(): Promise<string> {
    return "";
  }
}

function bookmark(version: number): string {
  const object = { metadata: { resourceVersion: String(version) } };
  return `${JSON.stringify({ type: "BOOKMARK", object })}\n`;
}

function answer(status: number, body: OpenAnswer["body"]): OpenAnswer {
  return { status, headers: {}, body };
}

function once(text: string): OpenAnswer["body"] {
  return {
    async *[Symbol.asyncIterator]() {
      yield encoder.encode(text);
    },
    text: async () => text,
  };
}

function statusBody(code: number): string {
  return JSON.stringify({
    kind: "Status",
    status: "Failure",
    code,
    message: `as the test wants it: ${code}`,
  });
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });
}

function refusedConnection(): Error {
  return Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
}

function parsePath(path: string): { readonly of: StoredResource; readonly query: URLSearchParams } {
  const { pathname, searchParams } = new URL(path, "http://hub");
  const [, root, ...rest] = pathname.split("/");
  const [group, , resource] = root === "api" ? ["", rest[0], rest[1]] : rest;
  return { of: { group: group ?? "", resource: resource ?? "" }, query: searchParams };
}
