import { resourceUnit } from "#domain/scale/figures";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import type { KubeObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { KINDS } from "#sim/kinds";
import { type Demand, loadOf } from "#sim/load/load";
import { loadMetricsOf } from "#sim/load/load-metrics";
import { demandMilli } from "#sim/load/shape";
import { toThousandth } from "./amounts.ts";
import { targetKey, targetOf } from "./target.ts";

/** Reads what is asked of a workload by one metric. */
export interface DemandProbe {
  readonly name: string;
  readonly unit: "cores" | "bytes" | "";
  /** In the unit; null where no Load says anything of it. */
  at(atMs: number): number | null;
}

/** The demands that a FederatedHPA's metrics see, each name once. */
export function demandProbes({ hub }: Fleet, object: FederatedHpa): readonly DemandProbe[] {
  const key = targetKey(targetOf(object));
  const load = () => hub.store.list(KINDS.loads, object.namespace).find((one) => loadOf(one).target === key);
  const metrics = new Map(object.spec.metrics.map((metric) => [metric.name, metric]));
  return [...metrics.values()].map((metric) => ({
    name: metric.name,
    unit: resourceUnit(metric.name),
    at(atMs) {
      const object = load();
      const demand = object && demandOf(object, metric);
      if (object === undefined || demand === undefined) return null;
      const seconds = (atMs - loadOf(object).sinceMs) / 1000;
      return toThousandth(demandMilli(demand.shape, seconds) / 1000);
    },
  }));
}

function demandOf(load: KubeObject, { type, name }: MetricSpec): Demand | undefined {
  if (type === "Resource" || type === "ContainerResource") {
    if (name !== "cpu" && name !== "memory") return undefined;
    return loadOf(load)[name];
  }
  const { pods, objects, external } = loadMetricsOf(load);
  const list = type === "Pods" ? pods : type === "Object" ? objects : external;
  return list.find((metric) => metric.name === name)?.demand;
}
