import type { SpecFault } from "#domain/spec/federated-hpa";
import { parseDuration } from "#domain/units/duration";

/** The shortest time between two evaluations that events ask for, such as `10s` or `1m30s`. */
const MIN_INTERVAL = "mainsheet.io/min-interval";
/** CloudWatch alarms whose changes of state have the object evaluated: names, with commas between them. */
const ALARMS = "mainsheet.io/alarms";

export const DEFAULT_MIN_INTERVAL_MS = 3_000;
const SHORTEST_SECONDS = 1;
/** A queue holds a message back no longer. */
const LONGEST_SECONDS = 900;
const MOST_ALARMS = 20;
/** What CloudWatch takes for an alarm's name. */
const LONGEST_NAME = 255;

export interface EventSettings {
  /** 1,000..900,000 */
  readonly minIntervalMs: number;
  /** Sorted, each once. */
  readonly alarms: readonly string[];
  /** An annotation cannot be taken; its default holds: three seconds, no alarms. */
  readonly faults: readonly SpecFault[];
}

/** What an object's annotations say of events. */
export function eventSettings(annotations: Readonly<Record<string, string>>): EventSettings {
  const faults: SpecFault[] = [];
  const fault = (annotation: string, detail: string) => {
    faults.push({ code: "FieldValueInvalid", path: `metadata.annotations[${annotation}]`, detail });
  };
  const interval = annotations[MIN_INTERVAL];
  const seconds = interval === undefined ? DEFAULT_MIN_INTERVAL_MS / 1000 : parseDuration(interval);
  const isTaken = seconds !== undefined && seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS;
  if (!isTaken) {
    fault(MIN_INTERVAL, `"${interval}" must be a duration from 1s to 15m, such as 10s; 3s holds until then`);
  }
  const alarms = alarmNames(annotations[ALARMS]);
  if (alarms === undefined) {
    const detail = `must be at most ${MOST_ALARMS} names of alarms with commas between them, each of at most ${LONGEST_NAME} characters; none is heeded until then`;
    fault(ALARMS, detail);
  }
  return {
    minIntervalMs: isTaken ? Math.round(seconds * 1000) : DEFAULT_MIN_INTERVAL_MS,
    alarms: alarms ?? [],
    faults,
  };
}

function alarmNames(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return [];
  const names = [...new Set(text.split(",").map((name) => name.trim()))].sort();
  const areSound =
    names.length <= MOST_ALARMS && names.every(({ length }) => length > 0 && length <= LONGEST_NAME);
  return areSound ? names : undefined;
}
