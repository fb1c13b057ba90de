import { apiVersionOf, type ResourceType } from "./resource-type.ts";
import type { Definitions } from "./schema.ts";

/** The resources one server serves, and the schemas they refer to. CustomResourceDefinitions add to it while it runs. */
export class Catalogue {
  readonly definitions: Definitions;
  readonly #types = new Map<string, ResourceType>();
  readonly #kinds = new Map<string, ResourceType>();

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

  /** Every type, in the order in which they were added. */
  all(): readonly ResourceType[] {
    return [...this.#types.values()];
  }
}
