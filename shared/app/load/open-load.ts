import type { Member, Read, Snapshot } from "#domain/fleet/snapshot";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { readMetricSources } from "#domain/spec/metric-sources";
import { groupBy } from "#domain/units/group";
import type { ObjectKey } from "#domain/work/shards";
import type { ResourceRef } from "#ports/kubernetes";
import { askedClusters, isPulled, notAsked, readClusters } from "./clusters.ts";
import { type LoadContext, readFault } from "./context.ts";
import { openHubMetrics } from "./hub-metrics.ts";
import { type MemberNeed, type MemberWorld, readMember } from "./member.ts";
import { openMetricReadings } from "./metric-readings.ts";
import { type NamespaceWorld, readNamespace, type TargetWorld } from "./namespace.ts";
import { once } from "./once.ts";
import { memberSamples, metricNeeds } from "./samples.ts";
import { divided, type LoadedShadow, withShadowMetrics } from "./shadow-snapshot.ts";

export interface Loaded {
  readonly snapshot: Snapshot;
  /** The target's resource on the hub; absent when its kind is not known there. */
  readonly targetResource?: ResourceRef;
  /** What its other spec is decided on, where it has one. */
  readonly shadow?: LoadedShadow;
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
      return readNamespace(context, namespace, wanted.get(namespace) ?? []);
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
            ({ name }) => askedFor(read.value.world, name) ?? [],
          )
        : [],
    );
  });
  const hubMetrics = openHubMetrics(context);

  return async ({ namespace, name }, instantMs) => {
    const world = await namespaceOf(namespace);
    const real = world.objects.get(name);
    const object = askedFor(world, name);
    const behind = world.targets.get(name);
    if (real === undefined || object === undefined || behind === undefined) return undefined;
    const { binding } = behind;
    const clusters = binding?.ok ? binding.value.clusters : [];
    const hubClusters = await readClusters(context, clusters.length > 0 || object.spec.minReplicas === 0);
    const memberReads = clusters.map(async ({ name: cluster }): Promise<Member> => {
      const refused = notAsked(cluster, hubClusters);
      if (refused !== undefined) return gap(cluster, object, refused);
      if (await context.gate?.skips(cluster)) return gap(cluster, object, skipped(cluster));
      const member = memberFor(object, cluster, await memberOf(cluster, namespace, world));
      return isPulled(cluster, hubClusters) ? asPulled(member, object) : member;
    });
    const { from } = readMetricSources(object.annotations).value;
    const [read, metrics] = await Promise.all([
      Promise.all(memberReads),
      readings(object, askedClusters(clusters, hubClusters)),
    ]);
    const memberList = from === "hub" ? await hubMetrics(object, read) : read;
    const both: Snapshot = {
      hub: context.hub,
      instantMs,
      object,
      target: behind.target,
      ...(binding === undefined ? {} : { binding: withClusters(binding, hubClusters) }),
      members: memberList,
      metrics,
      ambiguousWith: ambiguousWith(object, memberList, world),
      autoscalerWrites: behind.autoscalerWrites,
    };
    const loaded = divided(both, real, world.shadows.get(name));
    return behind.resource === undefined ? loaded : { ...loaded, targetResource: behind.resource };
  };
}

/** An object with the metrics that are read for it, its shadow's among them. */
function askedFor({ objects, shadows }: NamespaceWorld, name: string): FederatedHpa | undefined {
  const object = objects.get(name);
  return object && withShadowMetrics(object, shadows.get(name));
}

/** What the wanted objects of a namespace need of one cluster. */
function needsIn(cluster: string, world: NamespaceWorld, wanted: readonly ObjectKey[]): MemberNeed[] {
  return wanted.flatMap(({ name }) => {
    const object = askedFor(world, name);
    const binding = world.targets.get(name)?.binding;
    const bound = binding?.ok && binding.value.clusters.some((entry) => entry.name === cluster);
    return object && bound ? [needOf(object)] : [];
  });
}

function needOf(object: FederatedHpa): MemberNeed {
  return { ...object.spec.scaleTargetRef, ...metricNeeds(object) };
}

function withClusters(binding: NonNullable<TargetWorld["binding"]>, ready: Read<unknown>) {
  return binding.ok && !ready.ok ? ready : binding;
}

function skipped(cluster: string) {
  const message = `cluster ${cluster} did not answer lately; one invocation in each slot tries it`;
  return readFault("cluster-unreachable", message);
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

/** A pull-mode cluster that cannot be read: no outage, so its pods are taken to be as busy as the others' (D-10). */
function asPulled(member: Member, object: FederatedHpa): Member {
  const failed = [member.scale, member.pods, ...member.samples].find((read) => !read.ok);
  if (failed === undefined || failed.ok) return member;
  const message = `cluster ${member.cluster} is in Pull mode and the hub has no way to it: ${failed.fault.message}`;
  return gap(member.cluster, object, readFault("cluster-pull-mode", message));
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
