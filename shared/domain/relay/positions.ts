import { compareVersions } from "./seen.ts";

/**
 * Up to where a watch has been worked off. It is resumed a little before that: an event that came out of order would
 * else be lost when the connection breaks before its turn, and what comes again is known.
 */
export class Positions {
  readonly #trail: { readonly resourceVersion: string; readonly atMs: number }[] = [];
  readonly #behindMs: number;

  constructor(behindMs: number) {
    this.#behindMs = behindMs;
  }

  /** Everything up to this version is done. */
  note(resourceVersion: string, atMs: number): void {
    const last = this.#trail.at(-1);
    if (last !== undefined) {
      const order = compareVersions(resourceVersion, last.resourceVersion);
      if (order !== undefined && order <= 0) return;
    }
    this.#trail.push({ resourceVersion, atMs });
    // Counted from the last one, however long ago that was: a connection that fell silent may owe one from just before.
    while (this.#trail.length > 1 && (this.#trail[1] as { atMs: number }).atMs <= atMs - this.#behindMs) {
      this.#trail.shift();
    }
  }

  /** A list holds everything up to its version, in whatever order that came. */
  restart(resourceVersion: string, atMs: number): void {
    this.#trail.splice(0, this.#trail.length, { resourceVersion, atMs });
  }

  /** Nothing is known any more: list. */
  clear(): void {
    this.#trail.length = 0;
  }

  /** Where to resume; undefined: nowhere, list first. */
  from(): string | undefined {
    return this.#trail[0]?.resourceVersion;
  }
}
