import type { Clock } from "#ports/clock";
import type { StoredTurn } from "#wire/turn";

/**
 * What an environment of `route` remembers between invocations, so that a storm of events costs few reads. A remembered
 * turn may be old: what is pending is so until its instant, whoever else was here, and any other use of it is a write on
 * its version, which then conflicts. What concerns whom may be ten seconds old.
 */
export interface RouteMemory {
  readonly turns: Map<string, StoredTurn>;
  /** What was read under this key within the last ten seconds, or is read now; what `isWorthIt` denies is read again. */
  recall<T>(key: string, read: () => Promise<T>, isWorthIt?: (value: T) => boolean): Promise<T>;
}

const KEPT_MS = 10_000;
/** Beyond, everything is forgotten: a bound on memory, and no more than that. */
const MOST = 20_000;

export function openRouteMemory(clock: Clock): RouteMemory {
  const values = new Map<string, { readonly atMs: number; readonly value: unknown }>();
  const turns = new Map<string, StoredTurn>();
  return {
    turns,
    async recall<T>(key: string, read: () => Promise<T>, isWorthIt: (value: T) => boolean = () => true) {
      for (const map of [values, turns]) if (map.size > MOST) map.clear();
      const nowMs = clock.nowMs();
      const known = values.get(key);
      if (known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < KEPT_MS) return known.value as T;
      const value = await read();
      if (isWorthIt(value)) values.set(key, { atMs: nowMs, value });
      return value;
    },
  };
}
