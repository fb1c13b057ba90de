import { occurrences } from "./occurrences.ts";
import { repeatedMinute } from "./repeated-minute.ts";
import { type SkippedRuns, skippedRuns } from "./skipped-runs.ts";
import type { Timetable } from "./timetable.ts";

/** A rule that is not suspended. */
export interface ForecastRule {
  /** The object whose rule it is: only rules of one object meet. */
  readonly object: string;
  readonly timetable: Timetable;
  /** The fields of the target that it sets. */
  readonly sets: readonly string[];
}

/** `rule` is, here and below, the place of a rule in the list that was asked about. */
export type ForecastEntry = ForecastRun | SkippedForecastRuns;

/** An instant at which a rule fires. */
export interface ForecastRun {
  readonly kind: "run";
  readonly atMs: number;
  readonly rule: number;
  /** Where the clock shows this minute twice, which of the two it is. */
  readonly repeated?: "first" | "second";
  /** The later rules of its object that fire at the same instant and set some of the same fields (D-26). */
  readonly overridden?: Overriding;
}

export interface Overriding {
  /** The last of them. */
  readonly by: number;
  /** What is not set by this run because of them. */
  readonly fields: readonly string[];
}

export interface SkippedForecastRuns extends SkippedRuns {
  readonly kind: "skipped";
  readonly rule: number;
}

/**
 * The next `count` runs of all rules after `fromMs`, and what gaps swallow up to the last of these; in order of time,
 * then of the rules. Fewer runs where the rules have no more within five years.
 */
export function forecast(
  rules: readonly ForecastRule[],
  fromMs: number,
  count: number,
): readonly ForecastEntry[] {
  const runs = nextRuns(rules, fromMs, count);
  const toMs = runs.at(-1)?.atMs ?? fromMs;
  const skipped = rules.flatMap(({ timetable }, rule) =>
    skippedRuns(timetable, fromMs, toMs).map(
      (runsInGap): SkippedForecastRuns => ({ kind: "skipped", rule, ...runsInGap }),
    ),
  );
  return [...skipped, ...runs].sort((left, right) => left.atMs - right.atMs || left.rule - right.rule);
}

function nextRuns(rules: readonly ForecastRule[], fromMs: number, count: number): readonly ForecastRun[] {
  const runs: ForecastRun[] = [];
  const coming = rules.map(({ timetable }) => occurrences(timetable, fromMs, Number.POSITIVE_INFINITY));
  const nextMs = coming.map((instants) => instants.next().value);
  while (runs.length < count) {
    const atMs = Math.min(...nextMs.map((ms) => ms ?? Number.POSITIVE_INFINITY));
    if (atMs === Number.POSITIVE_INFINITY) break;
    const due = [...rules.keys()].filter((rule) => nextMs[rule] === atMs);
    for (const rule of due) {
      runs.push(forecastRun(rules, due, rule, atMs));
      nextMs[rule] = coming[rule]?.next().value;
    }
  }
  return runs.slice(0, count);
}

function forecastRun(
  rules: readonly ForecastRule[],
  due: readonly number[],
  rule: number,
  atMs: number,
): ForecastRun {
  const { object, timetable, sets } = rules[rule] as ForecastRule;
  const repeated = timetable.schedule.kind === "calendar" ? repeatedMinute(timetable.zone, atMs) : undefined;
  const setBy = (other: number) => sets.filter((field) => rules[other]?.sets.includes(field));
  const rivals = due.filter(
    (other) => other > rule && rules[other]?.object === object && setBy(other).length > 0,
  );
  const by = rivals.at(-1);
  const fields = sets.filter((field) => rivals.some((other) => setBy(other).includes(field)));
  return {
    kind: "run",
    atMs,
    rule,
    ...(repeated === undefined ? {} : { repeated }),
    ...(by === undefined ? {} : { overridden: { by, fields } }),
  };
}
