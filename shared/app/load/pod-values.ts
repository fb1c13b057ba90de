import type { Read } from "#domain/fleet/snapshot";
import type { PodsMetric } from "#domain/spec/federated-hpa";
import { groupBy } from "#domain/units/group";
import type { Selector } from "#domain/units/selector";
import type { Server } from "#ports/kubernetes";
import { faultOf, type LoadContext, readFault, serverName } from "./context.ts";
import { customValues } from "./custom-metrics.ts";
import { narrowed } from "./narrowed.ts";

/** A Pods metric, with a selector whose pods need it. */
export interface PodValuesNeed {
  readonly metric: PodsMetric;
  readonly selector: Selector;
}

/** The values of a Pods metric: MetricValues, of pods of one server. */
export type PodValues = (metric: PodsMetric) => Read<readonly unknown[]>;

/**
 * Reads the Pods metrics of a namespace from one server: one request for each metric and metric selector, however many
 * objects need it, narrowed to what their pods' selectors have in common.
 */
export async function readPodValues(
  context: LoadContext,
  at: Server,
  namespace: string,
  needs: readonly PodValuesNeed[],
): Promise<PodValues> {
  const metrics = groupBy(needs, ({ metric }) => metricKey(metric));
  const read = await Promise.all(
    [...metrics].map(async ([key, same]) => [key, await readOne(context, at, namespace, same)] as const),
  );
  const values = new Map(read);
  return (metric) => values.get(metricKey(metric)) ?? { ok: true, value: [] };
}

function metricKey({ name, selector }: PodsMetric): string {
  return `${name}?${selector}`;
}

async function readOne(
  context: LoadContext,
  at: Server,
  namespace: string,
  needs: readonly PodValuesNeed[],
): Promise<Read<readonly unknown[]>> {
  const { name, selector } = (needs[0] as PodValuesNeed).metric;
  const pods = narrowed(
    namespace,
    needs.map((need) => need.selector),
  );
  try {
    const value = await customValues(context, at, {
      ...pods,
      described: { resource: "pods", name: "*" },
      metric: name,
      ...(selector === "" ? {} : { metricLabelSelector: selector }),
    });
    if (value !== undefined) return { ok: true, value };
    const message = `${serverName(at)} serves no custom.metrics.k8s.io; install a metrics adapter there`;
    return readFault("metric-unreadable", message);
  } catch (error) {
    return { ok: false, fault: faultOf(error, "metric-unreadable") };
  }
}
