import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { refuse } from "#sim/api/failure";
import { type MetricApi, metricNotFound } from "#sim/api/metric-api";
import { KINDS } from "#sim/kinds";
import { selects } from "./custom-metrics.ts";
import { loadOf } from "./load.ts";
import { loadMetricsOf } from "./load-metrics.ts";
import { demandMilli } from "./shape.ts";

/** The hub's `external.metrics.k8s.io`: the external metrics of the Loads, as they are now, one series each. */
export function externalMetricsOf(hub: ApiServer): MetricApi {
  return {
    group: "external.metrics.k8s.io",
    versions: ["v1beta1"],
    kind: "ExternalMetricValueList",
    names() {
      const names = hub.store
        .list(KINDS.loads)
        .flatMap((load) => loadMetricsOf(load).external.map(({ name }) => name));
      return [...new Set(names)].sort();
    },
    values(_version, { namespace, metric, labelSelector }, nowMs) {
      const isSeries = selects(labelSelector);
      if (!isSeries.ok) return isSeries;
      const named = hub.store.list(KINDS.loads, namespace).flatMap((load) =>
        loadMetricsOf(load)
          .external.filter(({ name }) => name === metric)
          .map((series) => ({ series, sinceMs: loadOf(load).sinceMs })),
      );
      if (named.length === 0) return refuse(metricNotFound(metric, namespace));
      const items = named
        .filter(({ series }) => isSeries.value(series.labels))
        .map(({ series, sinceMs }) => ({
          metricName: metric,
          metricLabels: series.labels,
          timestamp: formatInstant(nowMs),
          value: `${Math.round(demandMilli(series.demand.shape, (nowMs - sinceMs) / 1000))}m`,
        }));
      return { ok: true, value: items };
    },
  };
}
