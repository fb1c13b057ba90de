import type { Clock } from "#ports/clock";

/**
 * What an environment of `route` remembers between invocations, so that a storm of events costs few reads: what concerns
 * whom, and the shards, both up to ten seconds old.
 */
export interface RouteMemory {
  /** What was read under this key within the last ten seconds, or is read now; what `isWorthIt` denies is read again. */
  recall<T>(key: string, read: () => Promise<T>, isWorthIt?: (value: T) => boolean): Promise<T>;
}

const KEPT_MS = 10_000;
/** Beyond, everything is forgotten: a bound on memory, and no more than that. */
const MOST = 20_000;

export function openRouteMemory(clock: Clock): RouteMemory {
  const values = new Map<string, { readonly atMs: number; readonly value: unknown }>();
  return {
    async recall<T>(key: string, read: () => Promise<T>, isWorthIt: (value: T) => boolean = () => true) {
      if (values.size > MOST) values.clear();
      const nowMs = clock.nowMs();
      const known = values.get(key);
      if (known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < KEPT_MS) return known.value as T;
      const value = await read();
      if (isWorthIt(value)) values.set(key, { atMs: nowMs, value });
      return value;
    },
  };
}
