import { formatInstant } from "#domain/units/instant";
import { type Labels, matches } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import type { ApiServer } from "#sim/api/api-server";
import { badRequest, type Outcome, refuse } from "#sim/api/failure";
import { type MetricApi, metricNotFound, type Series, type ValuesQuery } from "#sim/api/metric-api";
import type { KubeObject } from "#sim/api/object";
import { KINDS } from "#sim/kinds";
import type { Settings } from "#sim/settings";
import { loadOf } from "./load.ts";
import { loadMetricsOf } from "./load-metrics.ts";
import { measuredPods, servingSpan } from "./measured-pods.ts";
import { objectMilli, resourceOf } from "./object-metric.ts";
import { averageNano, noiseFactor, sampleInstantMs, sharesOver } from "./sample.ts";
import { workloadOf } from "./serving.ts";

const GROUP = "custom.metrics.k8s.io";

/** Where a member's custom metrics come from. */
export interface CustomMetricsWorld {
  readonly hub: ApiServer;
  readonly members: ReadonlyMap<string, ApiServer>;
  readonly loadFor: (workload: string) => KubeObject | undefined;
  readonly settings: Settings;
}

/**
 * A member's `custom.metrics.k8s.io`: the pod and object metrics of the Loads, as of the last sample before now. A
 * metric that no Load of the namespace has is 404, and so is an object that the member does not hold.
 */
export function customMetricsOf(member: ApiServer, world: CustomMetricsWorld): MetricApi {
  const { hub, loadFor, settings } = world;
  const { metrics: times, seed } = settings;

  function podItems(query: ValuesQuery, name: string, nowMs: number): Outcome<readonly Item[]> {
    const { namespace, metric } = query;
    const declared = hub.store
      .list(KINDS.loads, namespace)
      .some((load) => loadMetricsOf(load).pods.some((series) => series.name === metric));
    if (!declared) return refuse(metricNotFound(metric, "pods", name));
    const isPod = selects(query.labelSelector);
    const isSeries = selects(query.metricLabelSelector);
    if (!isPod.ok) return isPod;
    if (!isSeries.ok) return isSeries;
    const atMs = sampleInstantMs(nowMs, times);
    const items = measuredPods(member, namespace, atMs, times.windowSeconds)
      .filter(({ metadata }) => name === "*" || metadata.name === name)
      .filter(({ metadata }) => isPod.value(metadata.labels ?? {}))
      .flatMap((pod): readonly Item[] => {
        const load = loadFor(workloadOf(pod, member) ?? "");
        const series = load && loadMetricsOf(load).pods.find((each) => each.name === metric);
        if (load === undefined || series === undefined || !isSeries.value(series.labels)) return [];
        const { name: podName = "" } = pod.metadata;
        const { noisePercent, ...serving } = loadOf(load);
        const usage = {
          ...servingSpan(pod),
          shares: sharesOver(serving, series.demand, atMs, times.windowSeconds),
          idleMilli: series.demand.idleMilli,
          limitMilli: Number.POSITIVE_INFINITY,
          noise: noiseFactor(
            `${seed}/${member.name}/${namespace}/${podName}/${atMs}/${metric}`,
            noisePercent,
          ),
        };
        const described = { kind: "Pod", namespace, name: podName, apiVersion: "v1" };
        const factor = series.factors[member.name] ?? 1;
        const milli = Math.round((averageNano(usage, atMs) * factor) / 1_000_000);
        return [{ described, series, atMs, windowSeconds: times.windowSeconds, milli }];
      });
    return { ok: true, value: items };
  }

  function objectItems(
    query: ValuesQuery,
    resource: string,
    name: string,
    nowMs: number,
  ): Outcome<readonly Item[]> {
    const { namespace, metric } = query;
    const isSeries = selects(query.metricLabelSelector);
    if (!isSeries.ok) return isSeries;
    const atMs = sampleInstantMs(nowMs, times);
    for (const load of hub.store.list(KINDS.loads, namespace)) {
      for (const series of loadMetricsOf(load).objects) {
        const { object } = series;
        if (series.name !== metric || object.name !== name || resourceOf(member, object) !== resource)
          continue;
        if (!isSeries.value(series.labels)) continue;
        const milli = objectMilli(member, world.members, namespace, load, series, atMs);
        if (milli === undefined) continue;
        const described = { kind: object.kind, namespace, name, apiVersion: object.apiVersion };
        return { ok: true, value: [{ described, series, atMs, milli }] };
      }
    }
    return refuse(metricNotFound(metric, resource, name));
  }

  return {
    group: GROUP,
    versions: ["v1beta2", "v1beta1"],
    kind: "MetricValueList",
    names() {
      const names = hub.store.list(KINDS.loads).flatMap((load) => {
        const { pods, objects } = loadMetricsOf(load);
        return [
          ...pods.map((series) => `pods/${series.name}`),
          ...objects.map((series) => `${resourceOf(member, series.object) ?? ""}/${series.name}`),
        ];
      });
      return [...new Set(names.filter((name) => !name.startsWith("/")))].sort();
    },
    values(version, query, nowMs) {
      const { resource, name: of = "" } = query.described ?? { resource: "" };
      // The namespace's own metrics are asked for without its name.
      const name = resource === "metrics" ? query.namespace : of;
      const items =
        resource === "pods" ? podItems(query, name, nowMs) : objectItems(query, resource, name, nowMs);
      if (!items.ok) return items;
      return { ok: true, value: items.value.map((item) => written(item, version)) };
    },
  };
}

interface Item {
  readonly described: object;
  readonly series: Series;
  readonly atMs: number;
  readonly windowSeconds?: number;
  readonly milli: number;
}

/** v1beta1 calls the window `window` and has no `metric`. */
function written({ described, series, atMs, windowSeconds, milli }: Item, version: string): object {
  const isOld = version === "v1beta1";
  return {
    describedObject: described,
    ...(isOld ? { metricName: series.name } : { metric: { name: series.name, selector: null } }),
    timestamp: formatInstant(atMs),
    ...(windowSeconds === undefined ? {} : { [isOld ? "window" : "windowSeconds"]: windowSeconds }),
    value: `${milli}m`,
    ...(isOld ? { selector: null } : {}),
  };
}

/** Whether labels are selected by the text; an absent text selects all. */
export function selects(selector: string | undefined): Outcome<(labels: Labels) => boolean> {
  const parsed = parseSelector(selector ?? "");
  if (!parsed.ok) return refuse(badRequest(`unable to parse requirement: ${parsed.fault.detail}`));
  return { ok: true, value: (labels) => matches(parsed.value, labels) };
}
