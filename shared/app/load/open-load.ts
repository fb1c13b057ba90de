import type { Member, Read, Snapshot } from "#domain/fleet/snapshot";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { readMetricSources } from "#domain/spec/metric-sources";
import { groupBy } from "#domain/units/group";
import type { ObjectKey } from "#domain/work/shards";
import type { ResourceRef } from "#ports/kubernetes";
import { decodeCluster } from "#wire/kubernetes/cluster";
import { faultOf, type LoadContext, readFault } from "./context.ts";
import { openHubMetrics } from "./hub-metrics.ts";
import { type MemberNeed, type MemberWorld, readMember } from "./member.ts";
import { openMetricReadings } from "./metric-readings.ts";
import { type NamespaceWorld, readNamespace, type TargetWorld } from "./namespace.ts";
import type { AskedCluster } from "./object-metrics.ts";
import { once } from "./once.ts";
import { memberSamples, metricNeeds } from "./samples.ts";

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
 * (FederatedHPAs, targets, bindings) and 3 to each member (workloads, pods, pod metrics), however many objects; one more
 * for each custom metric, and one to each source of External metrics.
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

  const readings = openMetricReadings(context, async () => {
    const worlds = await Promise.allSettled(
      [...wanted.keys()].map(async (namespace) => ({ namespace, world: await namespaceOf(namespace) })),
    );
    return worlds.flatMap((read) =>
      read.status === "fulfilled"
        ? (wanted.get(read.value.namespace) ?? []).flatMap(
            ({ name }) => read.value.world.objects.get(name) ?? [],
          )
        : [],
    );
  });
  const hubMetrics = openHubMetrics(context);

  return async ({ namespace, name }, instantMs) => {
    const world = await namespaceOf(namespace);
    const object = world.objects.get(name);
    const behind = world.targets.get(name);
    if (object === undefined || behind === undefined) return undefined;
    const { binding } = behind;
    const clusters = binding?.ok ? binding.value.clusters : [];
    const ready = await readyClusters(context, clusters.length > 0 || object.spec.minReplicas === 0);
    const memberReads = clusters.map(async ({ name: cluster }): Promise<Member> => {
      const state = ready.ok ? ready.value.get(cluster) : undefined;
      if (state !== true) return gap(cluster, object, notReady(cluster, ready, state));
      return memberFor(object, cluster, await memberOf(cluster, namespace, world));
    });
    const { from } = readMetricSources(object.annotations).value;
    const [read, metrics] = await Promise.all([
      Promise.all(memberReads),
      readings(object, askedClusters(clusters, ready)),
    ]);
    const memberList = from === "hub" ? await hubMetrics(object, read) : read;
    const snapshot: Snapshot = {
      hub: context.hub,
      instantMs,
      object,
      target: behind.target,
      ...(binding === undefined ? {} : { binding: withClusters(binding, ready) }),
      members: memberList,
      metrics,
      ambiguousWith: ambiguousWith(object, memberList, world),
      autoscalerWrites: behind.autoscalerWrites,
    };
    return behind.resource === undefined ? { snapshot } : { snapshot, targetResource: behind.resource };
  };
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

function needOf(object: FederatedHpa): MemberNeed {
  return { ...object.spec.scaleTargetRef, ...metricNeeds(object) };
}

async function readyClusters(
  context: LoadContext,
  needed: boolean,
): Promise<Read<ReadonlyMap<string, boolean>>> {
  if (!needed) return { ok: true, value: new Map() };
  try {
    const clusters = await context.cache.clusters(context.nowMs);
    const decoded = clusters.map(decodeCluster).flatMap((read) => (read.ok ? [read.value] : []));
    return { ok: true, value: new Map(decoded.map(({ name, ready }) => [name, ready])) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, "clusters-unreadable") };
  }
}

/**
 * The clusters whose part of an Object metric is wanted: those that the binding names. The scheduler drops clusters
 * with 0 replicas from a binding, so at template 0 every cluster may have it.
 */
function askedClusters(
  bound: readonly { readonly name: string }[],
  ready: Read<ReadonlyMap<string, boolean>>,
): readonly AskedCluster[] {
  const names = bound.length > 0 ? bound.map(({ name }) => name) : ready.ok ? [...ready.value.keys()] : [];
  return names.map((cluster) => {
    const state = ready.ok ? ready.value.get(cluster) : undefined;
    return state === true ? { cluster } : { cluster, fault: notReady(cluster, ready, state).fault };
  });
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
    samples: object.spec.metrics.map((metric) => memberSamples(metric, pods, world)),
  };
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
