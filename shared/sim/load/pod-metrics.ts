import { formatInstant } from "#domain/units/instant";
import { parseMilli } from "#domain/units/quantity";
import type { ApiServer } from "#sim/api/api-server";
import type { JsonObject, KubeObject } from "#sim/api/object";
import type { VirtualSource } from "#sim/api/resource-type";
import type { Settings } from "#sim/settings";
import { type Demand, IDLE, type Load, loadOf } from "./load.ts";
import { measuredPods, servingSpan } from "./measured-pods.ts";
import { averageNano, noiseFactor, sampleInstantMs, sharesOver } from "./sample.ts";
import { workloadOf } from "./serving.ts";

/**
 * A member's `metrics.k8s.io` PodMetrics, computed when they are asked for: the last sample before now, of every pod
 * that still is and that ran through the sample's whole window.
 */
export function podMetricsOf(
  member: ApiServer,
  loadFor: (workload: string) => KubeObject | undefined,
  { metrics, seed }: Settings,
): VirtualSource {
  const samples = new WeakMap<KubeObject, Sample>();

  return (namespace, nowMs) => {
    const atMs = sampleInstantMs(nowMs, metrics);
    return measuredPods(member, namespace, atMs, metrics.windowSeconds).map((pod) => cachedSample(pod, atMs));
  };

  /** A sample is asked for again by every reader of its interval, while neither pod nor load change. */
  function cachedSample(pod: KubeObject, atMs: number): KubeObject {
    const workload = workloadOf(pod, member);
    const load = workload === undefined ? undefined : loadFor(workload);
    const known = samples.get(pod);
    if (known?.atMs === atMs && known.load === load) return known.item;
    const item = sampleOf(pod, load, atMs);
    samples.set(pod, { atMs, load, item });
    return item;
  }

  function sampleOf(pod: KubeObject, object: KubeObject | undefined, atMs: number): KubeObject {
    const load = object === undefined ? IDLE : loadOf(object);
    const window =
      object === undefined
        ? windowOf(IDLE, atMs, metrics.windowSeconds)
        : cachedWindow(object, atMs, metrics.windowSeconds);
    const { name = "", namespace, labels } = pod.metadata;
    const containers = containersOf(pod);
    const bearer = load.container ?? containers[0]?.name;
    const serving = servingSpan(pod);
    const timestamp = formatInstant(atMs);
    const noiseName = `${seed}/${member.name}/${namespace}/${name}/${atMs}`;

    function useOf(container: Container, resource: "cpu" | "memory"): number {
      const demand = load[resource];
      if (container.name !== bearer) return resource === "memory" ? demand.idleMilli * 1_000_000 : 0;
      return averageNano(
        {
          fromMs: serving.fromMs,
          untilMs: serving.untilMs,
          shares: window[resource],
          idleMilli: demand.idleMilli,
          limitMilli: container.limits[resource],
          noise: noiseFactor(`${noiseName}/${resource}`, load.noisePercent),
        },
        atMs,
      );
    }

    return {
      apiVersion: "metrics.k8s.io/v1beta1",
      kind: "PodMetrics",
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(labels === undefined ? {} : { labels }),
        creationTimestamp: timestamp,
      },
      timestamp,
      window: `${metrics.windowSeconds}s`,
      containers: containers.map((container) => ({
        name: container.name,
        usage: {
          cpu: cpuText(useOf(container, "cpu")),
          memory: memoryText(useOf(container, "memory")),
        },
      })),
    };
  }
}

/** A load's shares over one sample's window. */
interface Window {
  readonly atMs: number;
  readonly windowSeconds: number;
  readonly cpu: Float64Array;
  readonly memory: Float64Array;
}

/** The last window asked for of each Load: the pods of all members ask for the same one. */
const windows = new WeakMap<KubeObject, Window>();

function cachedWindow(object: KubeObject, atMs: number, windowSeconds: number): Window {
  const known = windows.get(object);
  if (known?.atMs === atMs && known.windowSeconds === windowSeconds) return known;
  const made = windowOf(loadOf(object), atMs, windowSeconds);
  windows.set(object, made);
  return made;
}

function windowOf(
  load: Pick<Load, "cpu" | "memory" | "serving" | "sinceMs">,
  atMs: number,
  windowSeconds: number,
): Window {
  const over = (demand: Demand) => sharesOver(load, demand, atMs, windowSeconds);
  return { atMs, windowSeconds, cpu: over(load.cpu), memory: over(load.memory) };
}

/** What was computed of a pod at an instant under a Load. */
interface Sample {
  readonly atMs: number;
  readonly load: KubeObject | undefined;
  readonly item: KubeObject;
}

interface Container {
  readonly name: string;
  /** In thousandths; Infinity for none. */
  readonly limits: { readonly cpu: number; readonly memory: number };
}

/** Read once of each spec, which all pods of a template share and which never changes. */
const containersOfSpec = new WeakMap<JsonObject, readonly Container[]>();

function containersOf({ spec }: KubeObject): readonly Container[] {
  if (spec === undefined) return [];
  const known = containersOfSpec.get(spec);
  if (known !== undefined) return known;
  const given = (spec.containers ?? []) as readonly ContainerJson[];
  const containers = given.map(({ name, resources }) => ({
    name,
    limits: { cpu: limitMilli(resources?.limits?.cpu), memory: limitMilli(resources?.limits?.memory) },
  }));
  containersOfSpec.set(spec, containers);
  return containers;
}

interface ContainerJson {
  readonly name: string;
  readonly resources?: { readonly limits?: JsonObject };
}

function limitMilli(text: unknown): number {
  const limit = text === undefined ? undefined : parseMilli(String(text));
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** As the metrics server writes them: nanocores, and whole Ki of memory. */
function cpuText(nano: number): string {
  return nano === 0 ? "0" : `${nano}n`;
}

function memoryText(nano: number): string {
  return `${Math.ceil(nano / 1_000_000_000 / 1024)}Ki`;
}
