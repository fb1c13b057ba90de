import { parseMilli } from "#domain/units/quantity";
import type { KubeObject } from "#sim/api/object";
import type { Condition } from "#sim/condition";

/** The Ready condition's status; a cluster that has not reported yet is not ready. */
export function isClusterReady(cluster: KubeObject): boolean {
  const conditions = (cluster.status?.conditions ?? []) as readonly Condition[];
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

interface ResourceSummary {
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly allocated?: Readonly<Record<string, string>>;
}

/**
 * How many more replicas with these requests fit, by what the cluster last reported: the scarcest resource decides,
 * the pods it may run among them (Karmada's general estimator: totals, fragmentation is not seen). Undefined where the
 * cluster reports no resources.
 */
export function availableReplicas(
  cluster: KubeObject,
  requests: Readonly<Record<string, string>>,
): number | undefined {
  const summary = cluster.status?.resourceSummary as ResourceSummary | undefined;
  if (summary?.allocatable === undefined) return undefined;
  let fits = Number.POSITIVE_INFINITY;
  for (const [resource, request] of [...Object.entries(requests), ["pods", "1"] as const]) {
    const one = Number(parseMilli(request) ?? 0);
    if (one <= 0) continue;
    fits = Math.min(fits, Math.floor(freeMilli(summary, resource) / one));
  }
  return Number.isFinite(fits) ? fits : undefined;
}

function freeMilli({ allocatable = {}, allocated = {} }: ResourceSummary, resource: string): number {
  const total = Number(parseMilli(allocatable[resource] ?? "0") ?? 0);
  const used = Number(parseMilli(allocated[resource] ?? "0") ?? 0);
  return Math.max(0, total - used);
}
