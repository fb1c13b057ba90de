import type { Series } from "#sim/api/metric-api";
import type { KubeObject } from "#sim/api/object";
import { type Demand, demandOf, type LoadSpec, type ShapeJson } from "./load.ts";

/**
 * What a Load says beside cpu and memory: metrics that adapters serve. Each has a name, labels, and one of the shapes.
 *
 * - `podMetrics` of each pod: the serving pods share the amount; `factors` say by cluster how many times its share a
 *   pod there sees
 * - `objectMetrics` of the target, or of another `object` of the namespace: the members that hold the object share the
 *   amount by their serving pods, or each says the `whole` of it, as for a source that they share
 * - `externalMetrics` of the namespace, on the hub
 */
export interface LoadMetrics {
  readonly pods: readonly PodMetric[];
  readonly objects: readonly ObjectMetric[];
  readonly external: readonly LoadMetric[];
}

export interface LoadMetric extends Series {
  readonly demand: Demand;
}

export interface PodMetric extends LoadMetric {
  readonly factors: Readonly<Record<string, number>>;
}

export interface ObjectMetric extends LoadMetric {
  readonly object: ObjectReference;
  readonly whole: boolean;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

interface SeriesJson extends ShapeJson {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface MetricsJson extends LoadSpec {
  readonly podMetrics?: readonly (SeriesJson & { readonly factors?: Readonly<Record<string, number>> })[];
  readonly objectMetrics?: readonly (SeriesJson & {
    readonly object?: Partial<ObjectReference>;
    readonly whole?: boolean;
  })[];
  readonly externalMetrics?: readonly SeriesJson[];
}

const read = new WeakMap<KubeObject, LoadMetrics>();

export function loadMetricsOf(object: KubeObject): LoadMetrics {
  const known = read.get(object);
  if (known !== undefined) return known;
  const spec = (object.spec ?? {}) as unknown as MetricsJson;
  const metrics: LoadMetrics = {
    pods: (spec.podMetrics ?? []).map(({ factors = {}, ...json }) => ({ ...seriesOf(json), factors })),
    objects: (spec.objectMetrics ?? []).map(({ object: of = spec.target, whole = false, ...json }) => ({
      ...seriesOf(json),
      object: { apiVersion: of?.apiVersion ?? "apps/v1", kind: of?.kind ?? "", name: of?.name ?? "" },
      whole,
    })),
    external: (spec.externalMetrics ?? []).map(seriesOf),
  };
  read.set(object, metrics);
  return metrics;
}

function seriesOf({ name, labels = {}, ...shape }: SeriesJson): LoadMetric {
  return { name, labels, demand: demandOf(shape, 0) };
}
