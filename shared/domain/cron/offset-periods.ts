/** A stretch of time over which a zone keeps one offset from UTC. */
export interface OffsetPeriod {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  /** Local time minus UTC. */
  readonly offsetMs: number;
}

const MS_PER_SECOND = 1000;
const MS_PER_DAY = 86_400_000;
/** Periods are looked up span by span. No zone changes its offset twice in a day, so one look a day misses none. */
const SPAN_MS = 400 * MS_PER_DAY;
/** Some 80 years per zone. */
const MOST_SPANS = 72;

interface ZoneRecord {
  readonly format: Intl.DateTimeFormat;
  readonly spans: Map<number, readonly OffsetPeriod[]>;
}

/** What `Intl` says of a zone never changes within a process, so keeping it changes no answer. */
const records = new Map<string, ZoneRecord>();

/**
 * The period that holds an instant, or the part of it that lies in the instant's span of 400 days: the next part begins
 * at `untilMs`, with the same offset or another.
 *
 * @param zone A name that `parseZone` has taken; `Intl` throws at others.
 */
export function offsetPeriodAt(zone: string, instantMs: number): OffsetPeriod {
  const span = Math.floor(instantMs / SPAN_MS);
  const record = recordOf(zone);
  const periods = record.spans.get(span) ?? remember(record, span);
  return periods.find(({ untilMs }) => instantMs < untilMs) as OffsetPeriod;
}

function recordOf(zone: string): ZoneRecord {
  const known = records.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const record = { format, spans: new Map() };
  records.set(zone, record);
  return record;
}

function remember({ format, spans }: ZoneRecord, span: number): readonly OffsetPeriod[] {
  if (spans.size >= MOST_SPANS) spans.clear();
  const periods = readSpan(format, span * SPAN_MS);
  spans.set(span, periods);
  return periods;
}

function readSpan(format: Intl.DateTimeFormat, startMs: number): readonly OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  const endMs = startMs + SPAN_MS;
  let fromMs = startMs;
  let offsetMs = readOffset(format, startMs);
  for (let atMs = startMs + MS_PER_DAY; atMs <= endMs; atMs += MS_PER_DAY) {
    const nextOffsetMs = readOffset(format, atMs);
    if (nextOffsetMs === offsetMs) continue;
    const changeMs = changeBetween(format, atMs - MS_PER_DAY, atMs, offsetMs);
    periods.push({ fromMs, untilMs: changeMs, offsetMs });
    fromMs = changeMs;
    offsetMs = nextOffsetMs;
  }
  return [...periods, { fromMs, untilMs: endMs, offsetMs }];
}

/** The first second that no longer has the offset of `lowMs`; `highMs` has none. */
function changeBetween(format: Intl.DateTimeFormat, lowMs: number, highMs: number, offsetMs: number): number {
  let [low, high] = [lowMs, highMs];
  while (high - low > MS_PER_SECOND) {
    const middle = low + Math.floor((high - low) / 2 / MS_PER_SECOND) * MS_PER_SECOND;
    if (readOffset(format, middle) === offsetMs) low = middle;
    else high = middle;
  }
  return high;
}

/** `Intl` writes `GMT`, `GMT-05:00`, and for local mean times `GMT-04:56:02`. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function readOffset(format: Intl.DateTimeFormat, instantMs: number): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(format.format(instantMs)) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * MS_PER_SECOND;
  return sign === "-" ? -ms : ms;
}
