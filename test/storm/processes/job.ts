import type { Violation } from "#test/storm/facts";
import type { Plan } from "#test/storm/plan";
import type { Tally } from "#test/storm/tally";

/** One seed to run. */
export interface Job {
  readonly seed: number;
  readonly minutes: number;
  readonly objects: number;
  /** Whether a failing plan is made small. */
  readonly shrinks: boolean;
}

/** What came of it; plain data, as it goes from process to process. */
export interface Result {
  readonly seed: number;
  readonly tally: Tally;
  /** In order of time. */
  readonly violations: readonly Violation[];
  /** How many faults the plan had. */
  readonly faults: number;
  /** The plan that shows the first violation, made small where that was asked for; absent where nothing is violated. */
  readonly small?: Plan;
}
