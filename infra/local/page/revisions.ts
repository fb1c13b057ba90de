/** How many removed entries are remembered: a reader that missed more gets everything. */
const REMEMBERED_GONE = 2_000;

/**
 * A map whose changes can be told from any revision on, without a log of them: each entry knows the revision in which it
 * last changed. So a reader that is slow, or away, costs nothing, however much happens.
 */
export class Revisions<T> {
  readonly #entries = new Map<string, { value: T; text: string; revision: number }>();
  readonly #gone = new Map<string, number>();
  #forgottenUpTo = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Takes the entry as it is now; `next` is asked for a revision only where it is another than before. */
  set(key: string, value: T, next: () => number): void {
    const text = JSON.stringify(value);
    if (this.#entries.get(key)?.text === text) return;
    this.#entries.set(key, { value, text, revision: next() });
    this.#gone.delete(key);
  }

  /** Takes all entries as they are now; the others are gone. */
  replace(entries: Iterable<readonly [string, T]>, next: () => number): void {
    const kept = new Set<string>();
    for (const [key, value] of entries) {
      kept.add(key);
      this.set(key, value, next);
    }
    if (kept.size === this.#entries.size) return;
    for (const key of [...this.#entries.keys()]) if (!kept.has(key)) this.delete(key, next);
  }

  delete(key: string, next: () => number): void {
    if (!this.#entries.delete(key)) return;
    this.#gone.set(key, next());
    for (const [oldest, revision] of this.#gone) {
      if (this.#gone.size <= REMEMBERED_GONE) break;
      this.#gone.delete(oldest);
      this.#forgottenUpTo = revision;
    }
  }

  /** What has changed after a revision; undefined where that is not known any more. */
  since(revision: number): { readonly changed: readonly T[]; readonly gone: readonly string[] } | undefined {
    if (revision > 0 && revision < this.#forgottenUpTo) return undefined;
    const changed = [...this.#entries.values()].filter((entry) => entry.revision > revision);
    const gone = [...this.#gone].filter(([, removed]) => removed > revision).map(([key]) => key);
    return { changed: changed.map(({ value }) => value), gone };
  }
}
