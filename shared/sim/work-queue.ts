/**
 * What one controller has to look at: the keys that something touched, and those whose time comes. It only remembers
 * where to look; that is derived again from the stored objects, so it may be thrown away at any moment.
 *
 * Keys come out in their own order, not in the order of the touches: what a step does then depends on the objects
 * alone, and a fleet built anew does the same.
 */
export class WorkQueue {
  readonly #touched = new Set<string>();
  readonly #dueOf = new Map<string, number>();
  readonly #keysOf = new Map<number, Set<string>>();
  /** The instants of `#keysOf`, latest first, so that taking the next one moves nothing. */
  readonly #instants: number[] = [];

  touch(key: string): void {
    this.#touched.add(key);
  }

  /** Sets when a key is due; undefined takes it off the list. A key has one due instant. */
  schedule(key: string, dueMs: number | undefined): void {
    const before = this.#dueOf.get(key);
    if (before === dueMs) return;
    if (before !== undefined) this.#keysOf.get(before)?.delete(key);
    if (dueMs === undefined) {
      this.#dueOf.delete(key);
      return;
    }
    this.#dueOf.set(key, dueMs);
    const keys = this.#keysOf.get(dueMs);
    if (keys !== undefined) keys.add(key);
    else {
      this.#keysOf.set(dueMs, new Set([key]));
      this.#instants.splice(this.#indexOf(dueMs), 0, dueMs);
    }
  }

  get hasTouched(): boolean {
    return this.#touched.size > 0;
  }

  /** The first due instant, `undefined` when there is none. */
  nextDueMs(): number | undefined {
    for (let next = this.#instants.at(-1); next !== undefined; next = this.#instants.at(-1)) {
      if ((this.#keysOf.get(next)?.size ?? 0) > 0) return next;
      this.#keysOf.delete(next);
      this.#instants.pop();
    }
    return undefined;
  }

  /** Takes out what is touched and what is due by `nowMs`, in the order of the keys. */
  take(nowMs: number): readonly string[] {
    for (let next = this.nextDueMs(); next !== undefined && next <= nowMs; next = this.nextDueMs()) {
      for (const key of this.#keysOf.get(next) ?? []) {
        this.#touched.add(key);
        this.#dueOf.delete(key);
      }
      this.#keysOf.delete(next);
      this.#instants.pop();
    }
    if (this.#touched.size === 0) return [];
    const keys = [...this.#touched].sort();
    this.#touched.clear();
    return keys;
  }

  #indexOf(dueMs: number): number {
    let low = 0;
    let high = this.#instants.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#instants[middle] as number) > dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
