import type { KubeObject } from "./object.ts";

/** The objects of one resource in one namespace, by name. */
export class Shelf {
  readonly #objects = new Map<string, KubeObject>();
  /** In order, until a name comes or goes. */
  #names: readonly string[] | undefined;
  /** In the order of their names, until any of them changes. */
  #sorted: readonly KubeObject[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(name: string): KubeObject | undefined {
    return this.#objects.get(name);
  }

  set(name: string, object: KubeObject): void {
    if (!this.#objects.has(name)) this.#names = undefined;
    this.#sorted = undefined;
    this.#objects.set(name, object);
  }

  delete(name: string): void {
    this.#names = undefined;
    this.#sorted = undefined;
    this.#objects.delete(name);
  }

  /** A list that is never changed afterwards. */
  sorted(): readonly KubeObject[] {
    this.#names ??= [...this.#objects.keys()].sort();
    this.#sorted ??= this.#names.map((name) => this.#objects.get(name) as KubeObject);
    return this.#sorted;
  }
}
