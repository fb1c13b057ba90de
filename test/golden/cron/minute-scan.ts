/**
 * When a schedule fires, found the slow way: every minute is held against the date and time that `Intl` prints for it.
 * Shares nothing with the engine, its grammar included. For schedules of five sound fields, and for zones that change
 * their clocks at quarters of an hour: all since 2012 but Antarctica/Casey.
 */
export function minuteScan(
  schedule: string,
  zone: string,
  { fromMs, toMs, count = Number.POSITIVE_INFINITY }: ScanRange,
): readonly number[] {
  const found: number[] = [];
  const fields = readFields(schedule);
  const clock = clockOf(zone);
  for (let atMs = Math.floor(fromMs / QUARTER_MS) * QUARTER_MS; atMs <= toMs; atMs += QUARTER_MS) {
    const shown = clock(atMs);
    if (!dateMatches(fields, shown)) {
      atMs += Math.max(0, EVENING - shown.hour) * HOUR_MS;
      continue;
    }
    for (let minuteMs = atMs; minuteMs < atMs + QUARTER_MS; minuteMs += MINUTE_MS) {
      if (minuteMs <= fromMs || minuteMs > toMs || !matches(fields, clock(minuteMs))) continue;
      found.push(minuteMs);
      if (found.length === count) return found;
    }
  }
  return found;
}

/** (from, to], and how many at most. */
export interface ScanRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly count?: number;
}

/** Whether some day of some year has the month and the day that a schedule asks for. */
export function hasDate(schedule: string): boolean {
  const { month, day, weekday, either } = readFields(schedule);
  const dated = [...month].some((m) =>
    [...day].some((d) => d <= new Date(Date.UTC(2024, m, 0)).getUTCDate()),
  );
  return dated || (either && weekday.size > 0 && month.size > 0);
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** The rest of a day that does not match is passed over up to this hour: later a change of the clock could end it. */
const EVENING = 20;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

interface Fields {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  readonly either: boolean;
}

interface Shown {
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

const MACROS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

function readFields(schedule: string): Fields {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = (MACROS[schedule] ?? schedule)
    .trim()
    .toLowerCase()
    .split(/\s+/);
  const free = (field: string) => /(^|,)[*?](-[^,/]*)?(\/0*1)?(,|$)/.test(field);
  return {
    minute: valuesOf(minute, 0, 59),
    hour: valuesOf(hour, 0, 23),
    day: valuesOf(day, 1, 31),
    month: valuesOf(month, 1, 12, MONTHS),
    weekday: valuesOf(weekday, 0, 6, WEEKDAYS),
    either: !free(day) && !free(weekday),
  };
}

function valuesOf(field: string, min: number, max: number, names: readonly string[] = []): Set<number> {
  const value = (text: string) => (names.includes(text) ? names.indexOf(text) + min : Number(text));
  const ranges = field.split(",").filter((part) => part !== "");
  return new Set(
    ranges.flatMap((part) => {
      const [range = "", step] = part.split("/");
      const [low = "", high = step === undefined ? low : `${max}`] = range.split("-");
      const [from, to] = /^[*?]$/.test(low) ? [min, max] : [value(low), value(high)];
      return Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
        (candidate) => (candidate - from) % Number(step ?? 1) === 0,
      );
    }),
  );
}

function matches(fields: Fields, shown: Shown): boolean {
  return fields.minute.has(shown.minute) && fields.hour.has(shown.hour) && dateMatches(fields, shown);
}

function dateMatches({ month, day, weekday, either }: Fields, shown: Shown): boolean {
  if (!month.has(shown.month)) return false;
  const matches = [day.has(shown.day), weekday.has(shown.weekday)];
  return either ? matches.some(Boolean) : matches.every(Boolean);
}

const clocks = new Map<string, (instantMs: number) => Shown>();

function clockOf(zone: string): (instantMs: number) => Shown {
  const known = clocks.get(zone) ?? newClock(zone);
  clocks.set(zone, known);
  return known;
}

function newClock(timeZone: string): (instantMs: number) => Shown {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (instantMs) => {
    const [, weekday = "", month, day, hour, minute] =
      /^(\w+), (\d+)\/(\d+), (\d+):(\d+)/.exec(format.format(instantMs)) ?? [];
    const weekdayNumber = WEEKDAYS.indexOf(weekday.toLowerCase());
    return {
      weekday: weekdayNumber,
      month: Number(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
    };
  };
}
