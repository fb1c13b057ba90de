/** One part of the benchmark; `run.ts` hosts all of them. */
export interface Section {
  /** What `--only` takes. */
  readonly name: string;
  /** Measures for at most 90 s; throws if a result is not the one expected, because then its time means nothing. */
  readonly run: () => Promise<readonly Measurement[]>;
}

/** One line of the report: what was measured under which conditions, and the numbers with their units in the names. */
export interface Measurement {
  readonly [field: string]: string | number | Readonly<Record<string, number>>;
}
