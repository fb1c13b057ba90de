import type { Read } from "#domain/fleet/snapshot";
import type { ExternalMetricsPort, ExternalQuery, ExternalValue } from "#ports/external-metrics";

export interface MemoryExternalMetricsOptions {
  /** The value of a metric; undefined where there is none. */
  readonly read: (query: ExternalQuery) => ExternalValue | undefined;
  /** Asked for each query: why it is not answered, or undefined. */
  readonly refuse?: (query: ExternalQuery) => string | undefined;
  /** Called with the queries that a request asks for. */
  readonly observe?: (queries: readonly ExternalQuery[]) => void;
}

/** The reference source of External metrics. */
export function memoryExternalMetrics(options: MemoryExternalMetricsOptions): ExternalMetricsPort {
  const { read, refuse = () => undefined, observe = () => {} } = options;

  function answer(query: ExternalQuery): Read<ExternalValue> {
    const reason = refuse(query);
    if (reason !== undefined) return { ok: false, fault: { code: "metric-unreadable", message: reason } };
    const value = read(query);
    if (value !== undefined) return { ok: true, value };
    return { ok: false, fault: { code: "metric-empty", message: `${query.name} has no value` } };
  }

  return {
    async read(queries) {
      const distinct = new Map(queries.map((query) => [JSON.stringify(query), query]));
      if (distinct.size > 0) observe([...distinct.values()]);
      return queries.map(answer);
    },
  };
}
