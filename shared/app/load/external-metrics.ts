import type { MetricReading, Read } from "#domain/fleet/snapshot";
import type { ExternalMetric, FederatedHpa } from "#domain/spec/federated-hpa";
import type { ExternalMetricsPort, ExternalValue } from "#ports/external-metrics";
import { type ExternalSourceName, externalQueryOf } from "#wire/external-query";
import { readFault } from "./context.ts";
import { once } from "./once.ts";

/** Who answers for External metrics, as far as this host knows them. */
export type ExternalSources = Readonly<Partial<Record<ExternalSourceName, ExternalMetricsPort>>>;

/** The reading of an object's External metric. */
export type ExternalMetrics = (object: FederatedHpa, metric: ExternalMetric) => Promise<MetricReading>;

/**
 * The External metrics of one invocation: each source is asked once, for all of `objects`, when the first of them needs
 * it.
 */
export function openExternalMetrics(
  sources: ExternalSources,
  nowMs: number,
  objects: () => Promise<readonly FederatedHpa[]>,
): ExternalMetrics {
  const asked = new Map<string, Promise<ReadonlyMap<string, Read<ExternalValue>>>>();

  async function ask(
    source: ExternalSourceName,
    port: ExternalMetricsPort,
  ): Promise<ReadonlyMap<string, Read<ExternalValue>>> {
    const queries = (await objects()).flatMap((object) =>
      object.spec.metrics
        .filter((metric) => metric.type === "External")
        .map((metric) => externalQueryOf(object, metric))
        .filter((question) => question.source === source)
        .map(({ query }) => query),
    );
    const answers = await port.read(queries, nowMs);
    return new Map(answers.map((answer, index) => [JSON.stringify(queries[index]), answer]));
  }

  return async (object, metric) => {
    const { source, query } = externalQueryOf(object, metric);
    const port = sources[source];
    if (port === undefined) {
      const { fault } = readFault("metric-unreadable", `nothing here reads external metrics from ${source}`);
      return { kind: "fault", fault };
    }
    const answers = await once(asked, source, () => ask(source, port));
    const answer =
      answers.get(JSON.stringify(query)) ?? readFault("metric-unreadable", "it was not asked for");
    return answer.ok ? { kind: "value", ...answer.value } : { kind: "fault", fault: answer.fault };
  };
}
