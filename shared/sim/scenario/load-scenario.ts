import { formatInstant } from "#domain/units/instant";
import type { ApiServer } from "#sim/api/api-server";
import { crdObject } from "#sim/api/kinds/crd";
import type { JsonObject, KubeObject } from "#sim/api/object";
import { HUB_CRDS } from "#sim/api/resources";
import { buildFleet, type FleetOptions } from "#sim/build-fleet";
import type { Fleet } from "#sim/fleet";
import { CAPACITY } from "#sim/hub/resource-report";
import { LOAD_CRD, SCENARIO_CRD } from "#sim/load/load-crd";
import type { Scenario } from "./scenario.ts";
import type { ClusterSpec } from "./spec-schema.ts";

/** Where a scenario's fleet comes from, beside the scenario. */
export type ScenarioFleetOptions = Omit<FleetOptions, "settings" | "members">;

/** The fleet, or what its API server said to the scenario's objects: one sentence each. */
export type LoadedScenario =
  | { readonly ok: true; readonly fleet: Fleet }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * The fleet of a scenario, as it is at the scenario's start. Over stores that hold something already it is the fleet
 * of these stores: nothing is made again.
 */
export function loadScenario(scenario: Scenario, options: ScenarioFleetOptions = {}): LoadedScenario {
  const { settings, clusters, madeMs, startMs } = scenario;
  const fleet = buildFleet({ ...options, settings, members: clusters.map(({ name }) => name) });
  if (fleet.hub.store.resourceVersion > 0) return { ok: true, fleet };
  const faults: string[] = [];
  for (const object of objectsOf(scenario)) {
    const fault = create(fleet.hub, object, madeMs);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length > 0) return { ok: false, faults };
  fleet.step(madeMs);
  fleet.step(startMs);
  return { ok: true, fleet };
}

/** Everything in the order in which it is made: definitions, namespaces, clusters, the scenario itself, then the manifests. */
function objectsOf(scenario: Scenario): readonly KubeObject[] {
  const used = scenario.manifests.map(({ metadata }) => metadata.namespace ?? "default");
  const made = scenario.manifests
    .filter(({ kind }) => kind === "Namespace")
    .map(({ metadata }) => metadata.name);
  const namespaces = new Set(["default", "kube-system", "karmada-system", ...used]);
  for (const name of made) namespaces.delete(name ?? "");
  const { name, startMs, timeline } = scenario;
  return [
    ...[...HUB_CRDS, LOAD_CRD, SCENARIO_CRD].map(crdObject),
    ...[...namespaces].map((namespace) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    })),
    ...scenario.clusters.map(clusterObject),
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name },
      spec: { start: formatInstant(startMs), timeline } as JsonObject,
    },
    ...scenario.manifests,
  ];
}

function clusterObject({ name, labels, capacity, region, provider, zones }: ClusterSpec): KubeObject {
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(capacity === undefined ? {} : { annotations: { [CAPACITY]: JSON.stringify(capacity) } }),
    },
    spec: {
      apiEndpoint: `https://${name}.sim.mainsheet.io`,
      syncMode: "Push",
      ...(region === undefined ? {} : { region }),
      ...(provider === undefined ? {} : { provider }),
      ...(zones === undefined ? {} : { zones }),
    },
  };
}

/** What was wrong with it, if anything. */
function create(hub: ApiServer, object: KubeObject, nowMs: number): string | undefined {
  const { apiVersion, kind, metadata } = object;
  const type = hub.catalogue.findKind(apiVersion, kind);
  if (type === undefined) {
    return `${kind} ${metadata.name}: the hub serves no ${kind} of ${apiVersion}; correct the apiVersion or define the kind`;
  }
  const isHomeless = type.namespaced && metadata.namespace === undefined;
  const placed = isHomeless ? { ...object, metadata: { ...metadata, namespace: "default" } } : object;
  const made = hub.create(type, placed, { nowMs, fieldValidation: "Strict" });
  return made.ok ? undefined : `${kind} ${metadata.name}: ${made.status.message}`;
}
