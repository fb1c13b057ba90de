import type { Server } from "#ports/kubernetes";
import type { MetricValuesQuery } from "#ports/metrics-api";
import type { LoadContext } from "./context.ts";

const GROUP = "custom.metrics.k8s.io";
/** Those that are understood here, the better first. */
const VERSIONS = ["v1beta2", "v1beta1"];

/**
 * The items that a server's custom metrics API has for a query, in the newest version that it serves; undefined where
 * it serves none. Which version that is, is kept for 60 s.
 */
export async function customValues(
  { port, cache, nowMs }: LoadContext,
  at: Server,
  query: Omit<MetricValuesQuery, "group" | "version">,
): Promise<readonly unknown[] | undefined> {
  const served = await cache.object(at, GROUP, nowMs, () => port.versionsOf(at, GROUP));
  const version = VERSIONS.find((known) => served.includes(known));
  return version === undefined ? undefined : port.metricValues(at, { ...query, group: GROUP, version });
}
