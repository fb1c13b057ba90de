import type { WatchedObject, WorkloadRef } from "./watched-object.ts";

/** The workloads that the objects of one watched resource speak of, each with how many do. */
export class Workloads {
  readonly #counts = new Map<string, number>();

  has(workload: WorkloadRef | undefined): boolean {
    return workload !== undefined && this.#counts.has(keyOf(workload));
  }

  /** An object is there from now on. */
  add({ target }: WatchedObject): void {
    if (target === undefined) return;
    const key = keyOf(target);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** An object that was added is gone, as it was then. */
  remove({ target }: WatchedObject): void {
    if (target === undefined) return;
    const key = keyOf(target);
    const left = (this.#counts.get(key) ?? 0) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/** Kind and group, not the version: a workload is the same under all that are served. */
function keyOf({ apiVersion, kind, namespace, name }: WorkloadRef): string {
  const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return `${group}/${kind}/${namespace}/${name}`;
}
