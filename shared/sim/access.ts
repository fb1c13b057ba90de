import type { ApiServer } from "#sim/api/api-server";
import { notFound, unavailable } from "#sim/api/failure";
import type { Access } from "./fleet.ts";
import { isCutOff, metricsFail, slowMs } from "./hub/faults.ts";
import { KINDS } from "./kinds.ts";

const METRICS_GROUPS = /(^|\.)metrics\.k8s\.io$/;

/** What stands between the hub and an API group of a member. See `Fleet.access`. */
export function accessTo(
  hub: ApiServer,
  members: ReadonlyMap<string, ApiServer>,
  member: string,
  group: string,
): Access {
  const cluster = hub.store.get(KINDS.clusters, undefined, member);
  if (cluster === undefined || !members.has(member)) {
    return { refusal: notFound(KINDS.clusters, member), delayMs: 0 };
  }
  const delayMs = slowMs(cluster);
  if (isCutOff(cluster)) {
    const message = `error trying to reach service: dial tcp: connect to cluster ${member}: connection refused`;
    return { refusal: unavailable(message), delayMs };
  }
  if (metricsFail(cluster) && METRICS_GROUPS.test(group)) {
    return { refusal: unavailable("the server is currently unable to handle the request"), delayMs };
  }
  return { delayMs };
}
