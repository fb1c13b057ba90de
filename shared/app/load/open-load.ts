import type { Pod, PodSample } from "#domain/fleet/pod";
import type { Member, MetricReading, Read, Snapshot } from "#domain/fleet/snapshot";
import type {
  ContainerResourceMetric,
  FederatedHpa,
  MetricSpec,
  ResourceMetric,
} from "#domain/spec/federated-hpa";
import { groupBy } from "#domain/units/group";
import type { ObjectKey } from "#domain/work/shards";
import type { KubeObject, ResourceRef } from "#ports/kubernetes";
import { decodeCluster } from "#wire/kubernetes/cluster";
import { readPodMetrics } from "#wire/pod-metrics";
import { faultOf, type LoadContext, readFault } from "./context.ts";
import { type MemberNeed, type MemberWorld, readMember } from "./member.ts";
import { type NamespaceWorld, readNamespace, type TargetWorld } from "./namespace.ts";

export interface Loaded {
  readonly snapshot: Snapshot;
  /** The target's resource on the hub; absent when its kind is not known there. */
  readonly targetResource?: ResourceRef;
}

/** Reads the world of one object for an instant; undefined when the object does not exist. */
export type Load = (key: ObjectKey, instantMs: number) => Promise<Loaded | undefined>;

/**
 * The shared reads of one invocation: each namespace of the hub and of each member is read once for all of `keys`, when
 * the first of them is loaded. Cost for one namespace with objects of one kind over m members: 3 requests to the hub
 * (FederatedHPAs, targets, bindings) and 3 to each member (workloads, pods, pod metrics), however many objects.
 */
export function openLoad(context: LoadContext, keys: readonly ObjectKey[]): Load {
  const wanted = groupBy(keys, ({ namespace }) => namespace);
  const namespaces = new Map<string, Promise<NamespaceWorld>>();
  const members = new Map<string, Promise<MemberWorld>>();

  const namespaceOf = (namespace: string) =>
    once(namespaces, namespace, () => {
      return readNamespace(context, namespace);
    });
  const memberOf = (cluster: string, namespace: string, world: NamespaceWorld) =>
    once(members, `${cluster}/${namespace}`, () =>
      readMember(context, cluster, namespace, needsIn(cluster, world, wanted.get(namespace) ?? [])),
    );

  return async ({ namespace, name }, instantMs) => {
    const world = await namespaceOf(namespace);
    const object = world.objects.get(name);
    const behind = world.targets.get(name);
    if (object === undefined || behind === undefined) return undefined;
    const { binding } = behind;
    const clusters = binding?.ok ? binding.value.clusters : [];
    const ready = await readyClusters(context, clusters.length);
    const memberReads = clusters.map(async ({ name: cluster }): Promise<Member> => {
      const state = ready.ok ? ready.value.get(cluster) : undefined;
      if (state !== true) return gap(cluster, object, notReady(cluster, ready, state));
      return memberFor(object, cluster, await memberOf(cluster, namespace, world));
    });
    const memberList = await Promise.all(memberReads);
    const snapshot: Snapshot = {
      hub: context.hub,
      instantMs,
      object,
      target: behind.target,
      ...(binding === undefined ? {} : { binding: withClusters(binding, ready) }),
      members: memberList,
      metrics: object.spec.metrics.map(metricReading),
      ambiguousWith: ambiguousWith(object, memberList, world),
      autoscalerWrites: behind.autoscalerWrites,
    };
    return behind.resource === undefined ? { snapshot } : { snapshot, targetResource: behind.resource };
  };
}

function once<T>(kept: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const found = kept.get(key) ?? load();
  kept.set(key, found);
  return found;
}

/** What the wanted objects of a namespace need of one cluster. */
function needsIn(
  cluster: string,
  { objects, targets }: NamespaceWorld,
  wanted: readonly ObjectKey[],
): MemberNeed[] {
  return wanted.flatMap(({ name }) => {
    const object = objects.get(name);
    const binding = targets.get(name)?.binding;
    const bound = binding?.ok && binding.value.clusters.some((entry) => entry.name === cluster);
    return object && bound ? [needOf(object)] : [];
  });
}

function needOf({ spec }: FederatedHpa): MemberNeed {
  return { ...spec.scaleTargetRef, podMetrics: spec.metrics.some(isPodMetric) };
}

function isPodMetric(metric: MetricSpec): metric is ResourceMetric | ContainerResourceMetric {
  return metric.type === "Resource" || metric.type === "ContainerResource";
}

async function readyClusters(
  context: LoadContext,
  bound: number,
): Promise<Read<ReadonlyMap<string, boolean>>> {
  if (bound === 0) return { ok: true, value: new Map() };
  try {
    const clusters = await context.cache.clusters(context.nowMs);
    const decoded = clusters.map(decodeCluster).flatMap((read) => (read.ok ? [read.value] : []));
    return { ok: true, value: new Map(decoded.map(({ name, ready }) => [name, ready])) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, "clusters-unreadable") };
  }
}

function notReady(cluster: string, ready: Read<unknown>, state: boolean | undefined) {
  if (!ready.ok) return ready;
  return state === false
    ? readFault("cluster-not-ready", `cluster ${cluster} is not Ready`)
    : readFault("clusters-unreadable", `clusters.cluster.karmada.io "${cluster}" not found`);
}

function withClusters(binding: NonNullable<TargetWorld["binding"]>, ready: Read<unknown>) {
  return binding.ok && !ready.ok ? ready : binding;
}

function gap(cluster: string, object: FederatedHpa, fault: ReturnType<typeof readFault>): Member {
  return { cluster, scale: fault, pods: fault, samples: object.spec.metrics.map(() => fault) };
}

function memberFor(object: FederatedHpa, cluster: string, world: MemberWorld): Member {
  const scale = world.scaleOf(needOf(object));
  if (!scale.ok) return gap(cluster, object, scale);
  const pods = world.podsOf(scale.value.selector);
  return {
    cluster,
    scale,
    pods,
    samples: object.spec.metrics.map((metric) => samplesOf(metric, pods, world.podMetrics)),
  };
}

function samplesOf(
  metric: MetricSpec,
  pods: Read<readonly Pod[]>,
  podMetrics: Read<ReadonlyMap<string, KubeObject>>,
): Read<readonly PodSample[]> {
  if (!isPodMetric(metric) || !pods.ok) return { ok: true, value: [] };
  if (!podMetrics.ok) return podMetrics;
  const items = pods.value.flatMap(({ name }) => podMetrics.value.get(name) ?? []);
  const query =
    metric.type === "ContainerResource"
      ? { resource: metric.name, container: metric.container }
      : { resource: metric.name };
  return { ok: true, value: readPodMetrics(items, query).samples };
}

function metricReading(metric: MetricSpec): MetricReading {
  if (isPodMetric(metric)) return { kind: "per-pod" };
  const message = `${metric.type} metric ${metric.name}: this version reads resource metrics only`;
  return { kind: "fault", fault: { code: "metric-unreadable", message } };
}

/**
 * Other FederatedHPAs that would pull the same pods another way (B27): on the same target, or on one whose selector
 * matches some of these pods.
 */
function ambiguousWith(object: FederatedHpa, members: readonly Member[], world: NamespaceWorld): string[] {
  const { apiVersion, kind, name } = object.spec.scaleTargetRef;
  const others = new Set<string>();
  for (const other of world.objects.values()) {
    const ref = other.spec.scaleTargetRef;
    const same = ref.apiVersion === apiVersion && ref.kind === kind && ref.name === name;
    if (same) others.add(`${other.namespace}/${other.name}`);
  }
  for (const { pods } of members) {
    for (const other of pods.ok ? world.claimants(pods.value) : []) others.add(other);
  }
  others.delete(`${object.namespace}/${object.name}`);
  return [...others].sort();
}
