import type { Admission, ApiServer } from "#sim/api/api-server";
import { seededIds } from "#sim/api/ids";
import { typesOfCrd } from "#sim/api/kinds/crd";
import { metricsTypes } from "#sim/api/kinds/metrics";
import { hubCatalogue, memberCatalogue } from "#sim/api/resources";
import type { Definitions } from "#sim/api/schema";
import { createApiServer } from "#sim/api/server";
import { type Change, Store } from "#sim/api/store";
import { accessTo } from "./access.ts";
import { type Controller, firstDueMs, runUntil } from "./controller.ts";
import type { Fleet } from "./fleet.ts";
import { garbageCollector } from "./garbage.ts";
import { aggregateStatus } from "./hub/aggregate-status.ts";
import { clusterHealth } from "./hub/cluster-health.ts";
import { detector } from "./hub/detector.ts";
import { execution } from "./hub/execution.ts";
import { installMetricsAdapter } from "./hub/metrics-adapter.ts";
import { namespaceSync } from "./hub/namespace-sync.ts";
import { resourceReports } from "./hub/resource-report.ts";
import { scheduler } from "./hub/scheduler.ts";
import { customMetricsOf } from "./load/custom-metrics.ts";
import { externalMetricsOf } from "./load/external-metrics.ts";
import { LOAD_CRD, SCENARIO_CRD } from "./load/load-crd.ts";
import { podMetricsOf } from "./load/pod-metrics.ts";
import { servingRecorder } from "./load/serving.ts";
import { cloneSets } from "./member/clone-set.ts";
import { deployments } from "./member/deployment.ts";
import { kubelet } from "./member/kubelet.ts";
import { replicaSets } from "./member/replica-set.ts";
import { statefulSets } from "./member/stateful-set.ts";
import { Owners } from "./owners.ts";
import { timeline } from "./scenario/timeline.ts";
import type { Settings } from "./settings.ts";

export interface FleetOptions {
  readonly settings: Settings;
  /** The members' names. */
  readonly members: readonly string[];
  /**
   * The store of a server (`HUB` or a member): restored or journalled ones of the host, in which the fleet goes on.
   * Default: empty ones.
   */
  readonly storeOf?: (server: string) => Store;
  /** The schemas of the built-in kinds; without them they are taken unchecked. */
  readonly goDefinitions?: Definitions;
  /** The hub's webhooks. */
  readonly admission?: readonly Admission[];
}

/** The hub's name among the servers. */
export const HUB = "karmada-apiserver";

/** A fleet over its stores. What they hold already is taken up as it is. */
export function buildFleet(options: FleetOptions): Fleet {
  const { settings, goDefinitions, admission = [], storeOf = () => new Store() } = options;
  const hub = createApiServer({
    name: HUB,
    store: storeOf(HUB),
    catalogue: hubCatalogue(goDefinitions, [LOAD_CRD, SCENARIO_CRD].flatMap(typesOfCrd)),
    ids: seededIds(`${settings.seed}/${HUB}`),
    admission,
  });
  hub.catalogue.addMetricApi(externalMetricsOf(hub));
  const load = servingRecorder(hub, settings.metrics);
  const members = new Map<string, ApiServer>();
  for (const name of options.members) {
    const member = memberServer(name);
    members.set(name, member);
  }

  function memberServer(name: string): ApiServer {
    const catalogue = memberCatalogue(goDefinitions);
    const ids = seededIds(`${settings.seed}/${name}`);
    const member = createApiServer({ name, store: storeOf(name), catalogue, ids });
    const pods = podMetricsOf(member, load.loadFor, settings);
    for (const type of metricsTypes({ pods, nodes: () => [] })) catalogue.add(type);
    catalogue.addMetricApi(customMetricsOf(member, { hub, members, loadFor: load.loadFor, settings }));
    return member;
  }

  const access = (member: string, group: string) => accessTo(hub, members, member, group);
  if (settings.metricsAdapter) installMetricsAdapter(hub, members, access);

  const reports = resourceReports(hub);
  const onHub: readonly Controller[] = [
    timeline(hub),
    namespaceSync(hub, members),
    detector(hub),
    scheduler(hub),
    execution(hub, members, settings.applyDelaySeconds),
  ];
  const inMembers = new Map([...members.values()].map((member) => [member, controllersOf(member, settings)]));
  const upwards: readonly Controller[] = [
    load,
    aggregateStatus(hub, members),
    clusterHealth(hub, members, reports.of, settings.clusters),
    garbageCollector(hub, new Owners(hub)),
  ];
  const everywhere = [...onHub, ...upwards];
  const all = [...onHub, ...[...inMembers.values()].flat(), ...upwards];

  function announce(change: Change, at: ApiServer): void {
    reports.observe(change, at);
    for (const controller of inMembers.get(at) ?? []) controller.observe(change, at);
    for (const controller of everywhere) controller.observe(change, at);
  }

  for (const server of [hub, ...members.values()]) {
    for (const change of storedAsAdded(server)) announce(change, server);
    server.store.subscribe((change) => announce(change, server));
  }

  return {
    hub,
    members,
    step: (nowMs) => runUntil(all, nowMs),
    nextDueMs: (nowMs) => (all.some(({ queue }) => queue.hasTouched) ? nowMs : firstDueMs(all)),
    access,
  };
}

function controllersOf(member: ApiServer, settings: Settings): readonly Controller[] {
  const owners = new Owners(member);
  return [
    deployments(member, owners),
    statefulSets(member, owners),
    cloneSets(member, owners),
    replicaSets(member, owners),
    kubelet(member, settings),
    garbageCollector(member, owners),
  ];
}

/** Every stored object as a change that has just happened. */
function* storedAsAdded({ store, catalogue }: ApiServer): Iterable<Change> {
  const seen = new Set<string>();
  for (const { group, resource, source } of catalogue.all()) {
    if (source !== undefined || seen.has(`${resource}.${group}`)) continue;
    seen.add(`${resource}.${group}`);
    for (const object of store.list({ group, resource })) {
      const resourceVersion = Number(object.metadata.resourceVersion);
      yield { type: "ADDED", resourceVersion, group, resource, object };
    }
  }
}
