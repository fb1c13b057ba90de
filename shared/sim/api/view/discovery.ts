import type { Catalogue } from "#sim/api/catalogue";
import type { MetricApi } from "#sim/api/metric-api";
import { apiVersionOf, type ResourceType, type Verb } from "#sim/api/resource-type";
import { discoveryMetrics, metricResources } from "./metric-discovery.ts";

/**
 * What a server serves, in the forms that clients ask for: lists of groups and of resources, and both in one
 * (apidiscovery.k8s.io/v2). Groups stand in the order in which they were added, the metrics APIs behind
 * them; of several versions the first added is preferred.
 */

const SUBRESOURCE_VERBS: readonly Verb[] = ["get", "patch", "update"];

export function apiVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

export function apiGroupList(catalogue: Catalogue): object {
  const groups = groupsOf(catalogue).filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(apiGroup) };
}

/** One group; undefined when the server has none of that name. */
export function apiGroupOf(catalogue: Catalogue, name: string): object | undefined {
  const group = groupsOf(catalogue).find((candidate) => candidate.name === name);
  return group && { kind: "APIGroup", apiVersion: "v1", ...apiGroup(group) };
}

/** The resources of one group and version; undefined when the server has none. */
export function apiResourceList(catalogue: Catalogue, groupVersion: string): object | undefined {
  const types = catalogue.all().filter((type) => apiVersionOf(type) === groupVersion);
  const metrics = catalogue.findMetricApi(groupVersion);
  if (types.length === 0 && metrics === undefined) return undefined;
  const resources = [...types.flatMap(resourcesOf), ...(metrics ? metricResources(metrics.api) : [])];
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources };
}

/** Aggregated discovery: `core` for `/api`, every other group for `/apis`. */
export function aggregatedDiscovery(catalogue: Catalogue, core: boolean, version: "v2" | "v2beta1"): object {
  const groups = groupsOf(catalogue).filter(({ name }) => (name === "") === core);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? { creationTimestamp: null } : { name, creationTimestamp: null },
      versions: versions.map((groupVersion) => ({
        version: groupVersion.version,
        freshness: "Current",
        resources: groupVersion.metrics
          ? discoveryMetrics(groupVersion.metrics)
          : groupVersion.types.map(discoveryResource),
      })),
    })),
  };
}

interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

interface GroupVersion {
  readonly version: string;
  readonly types: readonly ResourceType[];
  readonly metrics?: MetricApi;
}

function groupsOf(catalogue: Catalogue): readonly Group[] {
  const groups = new Map<string, Map<string, ResourceType[]>>();
  for (const type of catalogue.all()) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>();
    versions.set(type.version, [...(versions.get(type.version) ?? []), type]);
    groups.set(type.group, versions);
  }
  const stored = [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions].map(([version, types]) => ({ version, types })),
  }));
  const metrics = catalogue.metricApis().map((api) => ({
    name: api.group,
    versions: api.versions.map((version) => ({ version, types: [], metrics: api })),
  }));
  return [...stored, ...metrics];
}

function apiGroup({ name, versions }: Group): object {
  const listed = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

function resourcesOf(type: ResourceType): readonly object[] {
  const { resource, namespaced, kind } = type;
  const subresource = (name: string, more: object) => ({
    name: `${resource}/${name}`,
    singularName: "",
    namespaced,
    ...more,
  });
  return [
    {
      name: resource,
      singularName: type.singular,
      namespaced,
      kind,
      verbs: type.verbs,
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    },
    ...(type.status ? [subresource("status", { kind, verbs: SUBRESOURCE_VERBS })] : []),
    ...(type.scale
      ? [
          subresource("scale", {
            group: "autoscaling",
            version: "v1",
            kind: "Scale",
            verbs: SUBRESOURCE_VERBS,
          }),
        ]
      : []),
  ];
}

function discoveryResource(type: ResourceType): object {
  const { group, version, kind } = type;
  const own = { group, version, kind };
  const subresources = [
    ...(type.status ? [{ subresource: "status", responseKind: own, verbs: SUBRESOURCE_VERBS }] : []),
    ...(type.scale
      ? [
          {
            subresource: "scale",
            responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
            verbs: SUBRESOURCE_VERBS,
          },
        ]
      : []),
  ];
  return {
    resource: type.resource,
    responseKind: own,
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
