import { PortFault } from "#ports/fault";
import type { Server } from "#ports/kubernetes";
import type { MetricsApiPort, MetricValuesQuery } from "#ports/metrics-api";
import { faultKind, isObject, objectIn } from "./answer.ts";
import { type CallOptions, callOf, discoveryCall } from "./call.ts";
import type { Transport } from "./transport.ts";

/** The metrics APIs behind the same connections as everything else of a hub. */
export function metricsApi(transport: Transport, signal: AbortSignal | undefined): MetricsApiPort {
  return {
    async versionsOf(at, group) {
      const call = discoveryCall(at, ["apis", group], "application/json");
      const answer = await transport.send(call, signal);
      if (answer.status >= 400 && faultKind(answer.status) === "missing") return [];
      return versionsIn(objectIn(call, answer));
    },
    async metricValues(at, query) {
      const call = callOf(callOptions(at, query));
      const { items } = objectIn(call, await transport.send(call, signal));
      // An empty Go slice is written as null; an answer without the field is no list, and must not count as an empty one.
      if (items === null) return [];
      if (!Array.isArray(items)) {
        throw new PortFault("unavailable", `${call.what}: the answer is not a list of values`);
      }
      return items;
    },
  };
}

/** Of an APIGroup, the preferred one first. */
function versionsIn(group: Record<string, unknown>): readonly string[] {
  const preferred = isObject(group.preferredVersion) ? [group.preferredVersion] : [];
  const listed = Array.isArray(group.versions) ? group.versions.filter(isObject) : [];
  const names = [...preferred, ...listed].flatMap(({ version }) =>
    typeof version === "string" ? [version] : [],
  );
  return [...new Set(names)];
}

/**
 * The described object is the resource and the metric its subresource; the namespace's own metrics are named in the
 * resource `metrics`, and external metrics are resources themselves.
 */
function callOptions(at: Server, query: MetricValuesQuery): CallOptions {
  const { group, version, namespace, described, metric, labelSelector, metricLabelSelector } = query;
  const common = { at, namespace, query: { labelSelector, metricLabelSelector } };
  if (described === undefined) {
    return { ...common, verb: "list", resource: { group, version, resource: metric } };
  }
  const resource = { group, version, resource: described.resource };
  if (described.name === undefined) return { ...common, verb: "get", resource, name: metric };
  return { ...common, verb: "get", resource, name: described.name, subresource: metric };
}
