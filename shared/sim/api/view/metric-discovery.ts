import { groupBy } from "#domain/units/group";
import type { MetricApi } from "#sim/api/metric-api";

/** What an adapter's metrics look like in discovery: resources that can only be got, most of them named like subresources. */

export function metricResources({ kind, names }: MetricApi): readonly object[] {
  return names().map((name) => ({ name, singularName: "", namespaced: true, kind, verbs: ["get"] }));
}

/**
 * In the aggregated form, which the API server makes of the other one: what stands behind a slash is a subresource, and
 * a parent that nobody lists is put there without verbs.
 */
export function discoveryMetrics({ kind, names }: MetricApi): readonly object[] {
  const responseKind = { group: "", version: "", kind };
  const parents = groupBy(names(), (name) => name.split("/")[0] ?? "");
  return [...parents].map(([resource, listed]) => {
    const subresources = listed
      .filter((name) => name !== resource)
      .map((name) => ({ subresource: name.slice(resource.length + 1), responseKind, verbs: ["get"] }));
    return {
      resource,
      scope: "Namespaced",
      singularResource: "",
      ...(listed.includes(resource) ? { responseKind, verbs: ["get"] } : { responseKind: {}, verbs: [] }),
      ...(subresources.length === 0 ? {} : { subresources }),
    };
  });
}
