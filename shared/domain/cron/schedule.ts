import { parseDuration } from "#domain/units/duration";
import type { Parsed } from "#domain/units/parsed";
import {
  type CronField,
  DAYS_OF_MONTH,
  DAYS_OF_WEEK,
  HOURS,
  MINUTES,
  MONTHS,
  parseField,
} from "./schedule-field.ts";
import { parseZone } from "./time-zone.ts";

/**
 * When a rule fires. The one grammar of the house (D-22): what robfig/cron v3 `ParseStandard` takes, as Karmada's
 * engine calls it, so that what is admitted also runs. Differs: a schedule that never fires and `@every` under one
 * minute are refused.
 */
export type Schedule = CalendarSchedule | IntervalSchedule;

/** Fires at second 0 of every minute that all fields match, on the clock of the zone. */
export interface CalendarSchedule {
  readonly kind: "calendar";
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: readonly number[];
  /** 1..12. */
  readonly months: readonly number[];
  /** 0 (Sunday)..6. */
  readonly daysOfWeek: readonly number[];
  /**
   * Whether a day has to match `daysOfMonth` or `daysOfWeek`, not both: so where both are restricted (B66). A `*` with
   * a step restricts too.
   */
  readonly eitherDay: boolean;
  /** The zone of a `TZ=` or `CRON_TZ=` prefix, which overrides the rule's own. */
  readonly zone?: string;
}

/** Fires every so many seconds, from an anchor that the caller keeps. */
export interface IntervalSchedule {
  readonly kind: "interval";
  /** Whole seconds, fractions cut off, ≥ 60. */
  readonly everySeconds: number;
}

/**
 * - `schedule-fields`     not five fields
 * - `schedule-value`      a field holds something that is not in the grammar, or out of its range
 * - `schedule-macro`      an @ word that is none of the macros
 * - `schedule-interval`   `@every` without a duration, or under a minute
 * - `schedule-zone`       the prefix names no known time zone
 * - `schedule-never`      no date matches (30 February)
 */
export type ScheduleFaultCode =
  | "schedule-fields"
  | "schedule-value"
  | "schedule-macro"
  | "schedule-interval"
  | "schedule-zone"
  | "schedule-never";

const MACROS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const EVERY = "@every ";
const SHORTEST_INTERVAL_SECONDS = 60;
/** What Go's strings.Fields splits at. */
const SPACES = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const SPACE = new RegExp(SPACES);
const LEADING_SPACE = new RegExp(`^${SPACES}`);
const TRAILING_SPACE = new RegExp(`${SPACES}$`);
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The schedule that `text` means, or a fault (`ScheduleFaultCode`) that says what to write instead.
 *
 * @example `0 9 * * MON-FRI`, `0/15 8-18 * * *`, `@daily`, `@every 90m`, `CRON_TZ=Asia/Tokyo 0 9 * * *`.
 */
export function parseSchedule(text: string): Parsed<Schedule> {
  const prefixed = /^(?:CRON_)?TZ=/.exec(text);
  if (prefixed === null) return parseUnprefixed(trimmed(text));
  const [first = "", ...rest] = text.slice(prefixed[0].length).split(" ");
  if (rest.length === 0)
    return refuse("schedule-fields", text, "names a time zone but has no fields after it");
  const zone = parseZone(first);
  if (!zone.ok)
    return refuse("schedule-zone", text, `names a time zone that is not known: ${zone.fault.detail}`);
  const parsed = parseUnprefixed(trimmed(rest.join(" ")));
  if (!parsed.ok || parsed.value.kind === "interval") return parsed;
  return { ok: true, value: { ...parsed.value, zone: zone.value } };
}

function parseUnprefixed(text: string): Parsed<Schedule> {
  return text.startsWith("@") ? parseMacro(text) : parseFields(text);
}

function parseMacro(text: string): Parsed<Schedule> {
  const fields = MACROS[text];
  if (fields !== undefined) return parseFields(fields);
  if (!text.startsWith(EVERY)) {
    return refuse(
      "schedule-macro",
      text,
      `is none of ${Object.keys(MACROS).join(", ")} or @every <duration>`,
    );
  }
  const duration = parseDuration(text.slice(EVERY.length));
  if (duration === undefined) {
    return refuse("schedule-interval", text, "has no duration; write for example @every 1h30m");
  }
  if (duration < SHORTEST_INTERVAL_SECONDS) {
    return refuse("schedule-interval", text, "is shorter than a minute; write @every 1m or longer");
  }
  return { ok: true, value: { kind: "interval", everySeconds: Math.trunc(duration) } };
}

function parseFields(text: string): Parsed<Schedule> {
  const fields = text === "" ? [] : text.split(SPACE);
  if (fields.length !== FIELDS.length) {
    const detail = `has ${fields.length} fields; write five: minute, hour, day of month, month, day of week`;
    return refuse("schedule-fields", text, detail);
  }
  const sets: CronField[] = [];
  for (const [index, spec] of FIELDS.entries()) {
    const field = parseField(fields[index] ?? "", spec);
    if (!field.ok) return refuse("schedule-value", text, field.fault.detail);
    sets.push(field.value);
  }
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = sets as [
    CronField,
    CronField,
    CronField,
    CronField,
    CronField,
  ];
  const schedule: CalendarSchedule = {
    kind: "calendar",
    minutes: minutes.values,
    hours: hours.values,
    daysOfMonth: daysOfMonth.values,
    months: months.values,
    daysOfWeek: daysOfWeek.values,
    eitherDay: !daysOfMonth.star && !daysOfWeek.star,
  };
  if (!everFires(schedule))
    return refuse("schedule-never", text, "never fires; no date has this day and month");
  return { ok: true, value: schedule };
}

const FIELDS = [MINUTES, HOURS, DAYS_OF_MONTH, MONTHS, DAYS_OF_WEEK];

function everFires({
  minutes,
  hours,
  daysOfMonth,
  months,
  daysOfWeek,
  eitherDay,
}: CalendarSchedule): boolean {
  if (minutes.length === 0 || hours.length === 0) return false;
  const someDate = months.some((month) => daysOfMonth.some((day) => day <= (LONGEST_MONTHS[month - 1] ?? 0)));
  const someWeekday = daysOfWeek.length > 0 && months.length > 0;
  return eitherDay ? someDate || someWeekday : someDate && someWeekday;
}

function trimmed(text: string): string {
  return text.replace(LEADING_SPACE, "").replace(TRAILING_SPACE, "");
}

function refuse(code: ScheduleFaultCode, text: string, detail: string): Parsed<never> {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return { ok: false, fault: { code, detail: `${JSON.stringify(shown)} ${detail}` } };
}
