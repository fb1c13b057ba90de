import type { MetricApi } from "./metric-api.ts";
import { apiVersionOf, type ResourceType } from "./resource-type.ts";
import type { Definitions } from "./schema.ts";

/** The resources one server serves, and the schemas they refer to. CustomResourceDefinitions add to it while it runs. */
export class Catalogue {
  readonly definitions: Definitions;
  readonly #types = new Map<string, ResourceType>();
  readonly #kinds = new Map<string, ResourceType>();
  readonly #metricApis: MetricApi[] = [];

  constructor(types: Iterable<ResourceType>, definitions: Definitions = new Map()) {
    this.definitions = definitions;
    for (const type of types) this.add(type);
  }

  /** Adds a resource, or replaces the one of the same group, version and plural. */
  add(type: ResourceType): void {
    this.#types.set(`${apiVersionOf(type)}/${type.resource}`, type);
    this.#kinds.set(`${apiVersionOf(type)}/${type.kind}`, type);
  }

  remove(type: ResourceType): void {
    this.#types.delete(`${apiVersionOf(type)}/${type.resource}`);
    this.#kinds.delete(`${apiVersionOf(type)}/${type.kind}`);
  }

  /** By plural: `("apps/v1", "deployments")`. */
  find(apiVersion: string, resource: string): ResourceType | undefined {
    return this.#types.get(`${apiVersion}/${resource}`);
  }

  findKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.#kinds.get(`${apiVersion}/${kind}`);
  }

  addMetricApi(api: MetricApi): void {
    this.#metricApis.push(api);
  }

  /** The metrics APIs that have something to say at the moment. */
  metricApis(): readonly MetricApi[] {
    return this.#metricApis.filter((api) => api.names().length > 0);
  }

  /** The metrics API of `custom.metrics.k8s.io/v1beta2`. */
  findMetricApi(apiVersion: string): { readonly api: MetricApi; readonly version: string } | undefined {
    const [group, version = ""] = apiVersion.split("/");
    const api = this.metricApis().find((served) => served.group === group);
    return api?.versions.includes(version) ? { api, version } : undefined;
  }

  /** Every type, in the order in which they were added. */
  all(): readonly ResourceType[] {
    return [...this.#types.values()];
  }
}
