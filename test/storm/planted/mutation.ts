import type { Patch } from "#test/storm/processes/bundle";

/** A fault that somebody could make, as a change of the sources. */
export interface Mutation {
  readonly name: string;
  /** The invariant that has to notice. */
  readonly invariant: string;
  /** What is wrong with it, in one sentence. */
  readonly says: string;
  readonly patches: readonly Patch[];
}
