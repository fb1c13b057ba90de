import type { ApiServer } from "#sim/api/api-server";
import { badRequest } from "#sim/api/failure";
import type { ValuesQuery } from "#sim/api/metric-api";
import type { ResourcePath } from "./api-path.ts";
import { ok, type Reply, refused } from "./reply.ts";

/** The answer of a metrics API that an adapter serves; undefined where the path leads to none. */
export function metricValuesReply(
  { catalogue }: ApiServer,
  path: ResourcePath,
  query: URLSearchParams,
  nowMs: number,
): Reply | undefined {
  const found = catalogue.findMetricApi(path.apiVersion);
  if (found === undefined) return undefined;
  const { namespace } = path;
  if (namespace === undefined) return refused(badRequest("metrics of this server have a namespace"));
  const asked = {
    ...whatOf(path),
    namespace,
    labelSelector: query.get("labelSelector") ?? undefined,
    metricLabelSelector: query.get("metricLabelSelector") ?? undefined,
  };
  const items = found.api.values(found.version, asked, nowMs);
  if (!items.ok) return refused(items.status);
  return ok({ kind: found.api.kind, apiVersion: path.apiVersion, metadata: {}, items: items.value });
}

/** `pods/web-0/requests`, `metrics/requests` of the namespace, or the external metric `queue`. */
function whatOf({ resource, name, subresource }: ResourcePath): Pick<ValuesQuery, "described" | "metric"> {
  if (name === undefined) return { metric: resource };
  if (subresource === undefined) return { described: { resource }, metric: name };
  return { described: { resource, name }, metric: subresource };
}
