import type { SpecFault } from "#domain/spec/federated-hpa";
import { parseDuration } from "#domain/units/duration";

/** How late a run may still be done, such as `10m` or `1h30m`. */
const CRON_DEADLINE = "mainsheet.io/cron-deadline";
const DEFAULT_MS = 600_000;
/** Rules are looked at once a minute: what is done within it is on time. */
const SHORTEST_MS = 60_000;

export interface CronDeadline {
  /** ≥ 60,000: anything shorter means a minute. */
  readonly deadlineMs: number;
  /** The annotation is there and cannot be read; the default of ten minutes holds. */
  readonly fault?: SpecFault;
}

/** The object's deadline for runs that were missed or failed for a passing reason (D-24). */
export function cronDeadline(annotations: Readonly<Record<string, string>>): CronDeadline {
  const text = annotations[CRON_DEADLINE];
  if (text === undefined) return { deadlineMs: DEFAULT_MS };
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds >= 0) return { deadlineMs: Math.max(seconds * 1000, SHORTEST_MS) };
  const path = `metadata.annotations[${CRON_DEADLINE}]`;
  const detail = `"${text}" must be a duration of 0 or more such as 30m; 10m holds until then`;
  return { deadlineMs: DEFAULT_MS, fault: { code: "FieldValueInvalid", path, detail } };
}
