import type { MetricReading, Read, ReadFault } from "#domain/fleet/snapshot";
import type { ObjectMetric } from "#domain/spec/federated-hpa";
import type { MetricSources } from "#domain/spec/metric-sources";
import { divideUp } from "#domain/units/exact";
import { type MilliValue, sumMilli } from "#domain/units/milli";
import { isPortFault } from "#ports/fault";
import type { Server } from "#ports/kubernetes";
import type { MetricValuesQuery } from "#ports/metrics-api";
import { DESCRIBED_KINDS } from "#wire/kubernetes/resources";
import { type MetricValue, readObjectValue } from "#wire/metric-value";
import { faultOf, type LoadContext, readFault, serverName } from "./context.ts";
import { customValues } from "./custom-metrics.ts";
import { once } from "./once.ts";

/** A cluster whose part of a metric is wanted; `fault` where it cannot be asked at all. */
export interface AskedCluster {
  readonly cluster: string;
  readonly fault?: ReadFault;
}

export interface ObjectMetrics {
  /** The clusters' values made one; a cluster that has none is left out, one that cannot be read is named as missing (B46). */
  ofMembers(
    namespace: string,
    metric: ObjectMetric,
    clusters: readonly AskedCluster[],
    how: MetricSources["objectMetric"],
  ): Promise<MetricReading>;
  /** What the hub's adapter makes of the members. It does not say whom it left out, so those that cannot be asked are missing. */
  ofHub(namespace: string, metric: ObjectMetric, clusters: readonly AskedCluster[]): Promise<MetricReading>;
}

/** The Object metrics of one invocation: each server is asked once for each metric of an object. */
export function openObjectMetrics(context: LoadContext): ObjectMetrics {
  const kept = new Map<string, Promise<Read<MetricValue>>>();
  const valueAt = (at: Server, namespace: string, metric: ObjectMetric) =>
    once(kept, keyOf(at, namespace, metric), () => readValue(context, at, namespace, metric));

  return {
    async ofMembers(namespace, metric, clusters, how) {
      const parts = await Promise.all(
        clusters.map(async ({ cluster, fault }) => ({
          cluster,
          read: fault
            ? ({ ok: false, fault } as const)
            : await valueAt({ member: cluster }, namespace, metric),
        })),
      );
      return combined(metric, parts, how);
    },
    async ofHub(namespace, metric, clusters) {
      const read = await valueAt("hub", namespace, metric);
      const missing = clusters.flatMap(({ cluster, fault }) => (fault ? [cluster] : []));
      return read.ok ? reading(read.value, missing) : { kind: "fault", fault: read.fault };
    },
  };
}

interface Part {
  readonly cluster: string;
  readonly read: Read<MetricValue>;
}

function combined(
  metric: ObjectMetric,
  parts: readonly Part[],
  how: MetricSources["objectMetric"],
): MetricReading {
  const values = parts.flatMap(({ read }) => (read.ok ? [read.value] : []));
  const missing = parts.flatMap(({ cluster, read }) =>
    read.ok || read.fault.code === "metric-empty" ? [] : [{ cluster, fault: read.fault }],
  );
  if (values.length === 0) return { kind: "fault", fault: missing[0]?.fault ?? hasNone(metric, parts) };
  const milliValue = COMBINED[how](values.map((value) => value.milliValue));
  const timestampMs = Math.min(...values.map((value) => value.timestampMs));
  return reading(
    { milliValue, timestampMs },
    missing.map(({ cluster }) => cluster),
  );
}

/** Mean: rounded up to a thousandth. */
const COMBINED: Readonly<
  Record<MetricSources["objectMetric"], (values: readonly MilliValue[]) => MilliValue>
> = {
  sum: sumMilli,
  max: largest,
  mean: (values) => divideUp(sumMilli(values), values.length),
};

function largest(values: readonly MilliValue[]): MilliValue {
  let most: MilliValue = values[0] ?? 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

function hasNone({ name, describedObject }: ObjectMetric, parts: readonly Part[]): ReadFault {
  const object = `${describedObject.kind} ${describedObject.name}`;
  const asked = parts.map(({ cluster }) => cluster).join(", ");
  const message = `none of the clusters (${asked}) has the metric ${name} of ${object}`;
  return { code: "metric-empty", message };
}

function reading(value: MetricValue, missingClusters: readonly string[]): MetricReading {
  return { kind: "value", ...value, ...(missingClusters.length === 0 ? {} : { missingClusters }) };
}

function keyOf(at: Server, namespace: string, { name, selector, describedObject }: ObjectMetric): string {
  return JSON.stringify([at, namespace, describedObject, name, selector]);
}

async function readValue(
  context: LoadContext,
  at: Server,
  namespace: string,
  metric: ObjectMetric,
): Promise<Read<MetricValue>> {
  const { name, selector } = metric;
  const where = serverName(at);
  try {
    const described = await describedAt(context, at, metric.describedObject);
    const items =
      described &&
      (await customValues(context, at, {
        namespace,
        described,
        metric: name,
        ...(selector === "" ? {} : { metricLabelSelector: selector }),
      }));
    if (items === undefined) return readFault("metric-empty", `${where} has no metric ${name}`);
    const read = readObjectValue(items);
    return read.ok ? read : readFault(read.fault.code, `${where}: ${read.fault.message}`);
  } catch (error) {
    if (isPortFault(error, "missing")) return readFault("metric-empty", error.message);
    return { ok: false, fault: faultOf(error, "metric-unreadable") };
  }
}

/** The described object in a path; undefined where the server does not know its kind, so that it cannot have one. */
async function describedAt(
  { cache, nowMs }: LoadContext,
  at: Server,
  { apiVersion, kind, name }: ObjectMetric["describedObject"],
): Promise<MetricValuesQuery["described"] | undefined> {
  // As the HPA: of a namespace's own metrics only those of its own namespace can be meant.
  if (apiVersion === "v1" && kind === "Namespace") return { resource: "metrics" };
  const known = DESCRIBED_KINDS[`${apiVersion}/${kind}`];
  if (known !== undefined) return { resource: known, name };
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  const found = (await cache.resources(at, nowMs)).find((each) => each.kind === kind && each.group === group);
  return (
    found && { resource: found.group === "" ? found.resource : `${found.resource}.${found.group}`, name }
  );
}
