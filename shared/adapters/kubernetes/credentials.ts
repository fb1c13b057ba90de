import { isDeepStrictEqual } from "node:util";
import { PortFault } from "#ports/fault";
import type { Access } from "./kubeconfig.ts";

/** Keeps one hub's access fresh: read once, again when it is old, and again when the server refuses it. */
export interface Credentials {
  current(): Promise<Access>;
  /** What to use instead of a refused access; undefined when the source still says the same. */
  renew(refused: Access): Promise<Access | undefined>;
}

/** A source that answers a refusal with the same secret is not asked again at once. */
const RENEW_PAUSE_MS = 5_000;

/** `nowMs` counts from anywhere; only its differences matter. */
export function credentials(
  read: () => Promise<Access>,
  limitMs: number,
  nowMs: () => number = () => performance.now(),
): Credentials {
  let held: Access | undefined;
  let readAt = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Access> | undefined;

  /** One read at a time, whoever asks. Equal access keeps its identity, so that the connections stay. */
  function reread(): Promise<Access> {
    reading ??= within(read(), limitMs)
      .then((fresh) => {
        readAt = nowMs();
        held = isDeepStrictEqual(held, fresh) && held !== undefined ? held : fresh;
        return held;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return {
    async current() {
      if (held === undefined) return reread();
      if (nowMs() - readAt < held.freshMs) return held;
      const old = held;
      return reread().catch(() => {
        // The old one has not been refused: a secret store that is away for a moment costs nothing.
        readAt = nowMs();
        return old;
      });
    },
    async renew(refused) {
      if (held !== refused) return held;
      if (reading === undefined) {
        if (nowMs() - renewedAt < RENEW_PAUSE_MS) return undefined;
        renewedAt = nowMs();
      }
      const fresh = await reread();
      return fresh === refused ? undefined : fresh;
    },
  };
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new PortFault("unavailable", `kubeconfig: its credentials took longer than ${limitMs / 1000} s`),
      );
    }, limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
