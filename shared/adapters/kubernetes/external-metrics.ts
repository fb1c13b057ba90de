import type { Read } from "#domain/fleet/snapshot";
import type { ExternalMetricsPort, ExternalQuery, ExternalValue } from "#ports/external-metrics";
import { isPortFault } from "#ports/fault";
import type { MetricsApiPort } from "#ports/metrics-api";
import { readExternalSum } from "#wire/metric-value";

const EXTERNAL = { group: "external.metrics.k8s.io", version: "v1beta1" };

/** The hub's `external.metrics.k8s.io`: one request for each metric and selector, its series added up. */
export function hubExternalMetrics(api: MetricsApiPort): ExternalMetricsPort {
  async function ask({ namespace, name, selector }: ExternalQuery): Promise<Read<ExternalValue>> {
    const labels = selector === "" ? {} : { labelSelector: selector };
    try {
      return readExternalSum(
        await api.metricValues("hub", { ...EXTERNAL, namespace, metric: name, ...labels }),
      );
    } catch (error) {
      if (!isPortFault(error) || error.kind === "throttled") throw error;
      const code = error.kind === "missing" ? "metric-empty" : "metric-unreadable";
      return { ok: false, fault: { code, message: error.message } };
    }
  }

  return {
    read(queries) {
      const asked = new Map<string, Promise<Read<ExternalValue>>>();
      return Promise.all(
        queries.map((query) => {
          const key = `${query.namespace}/${query.name}?${query.selector}`;
          const answer = asked.get(key) ?? ask(query);
          asked.set(key, answer);
          return answer;
        }),
      );
    },
  };
}
