import type { Parsed } from "#domain/units/parsed";

/** One of the five fields: what it is called, its range, and the names that stand for numbers, in order from `min`. */
export interface FieldSpec {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

export const MINUTES: FieldSpec = { name: "minute", min: 0, max: 59, names: [] };
export const HOURS: FieldSpec = { name: "hour", min: 0, max: 23, names: [] };
export const DAYS_OF_MONTH: FieldSpec = { name: "day of month", min: 1, max: 31, names: [] };
export const MONTHS: FieldSpec = {
  name: "month",
  min: 1,
  max: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
/** 7 is not Sunday here, as in the engine: the webhook takes it and no rule would ever run. */
export const DAYS_OF_WEEK: FieldSpec = {
  name: "day of week",
  min: 0,
  max: 6,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

export interface CronField {
  /** Ascending, each once. */
  readonly values: readonly number[];
  /** Whether a part of it is `*` or `?` without a step: then the field does not restrict. */
  readonly star: boolean;
}

/**
 * The values of a comma-separated list of ranges: `N`, `N-M`, `*`, `?`, each with an optional `/step`; `N/step` runs
 * to the end of the range. Empty parts are skipped and what follows `*-` is not looked at, as in the engine
 * (robfig/cron v3).
 */
export function parseField(text: string, spec: FieldSpec): Parsed<CronField> {
  const values = new Set<number>();
  let star = false;
  for (const part of text.split(",")) {
    if (part === "") continue;
    const range = parseRange(part, spec);
    if (!range.ok) return range;
    const { from, to, step } = range.value;
    for (let value = from; value <= to; value += step) values.add(value);
    star ||= range.value.star;
  }
  return { ok: true, value: { values: [...values].sort((left, right) => left - right), star } };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly star: boolean;
}

function parseRange(part: string, spec: FieldSpec): Parsed<Range> {
  const [range = "", stepText, ...more] = part.split("/");
  if (more.length > 0) return refuse(part, spec, "has more than one slash");
  const [low = "", high, ...rest] = range.split("-");
  const any = low === "*" || low === "?";
  if (!any && rest.length > 0) return refuse(part, spec, "has more than one hyphen");

  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (step === undefined || step === 0) return refuse(part, spec, "has a step that is not a number above 0");
  if (any) {
    return { ok: true, value: { from: spec.min, to: spec.max, step, star: step === 1 } };
  }
  const from = parseValue(low, spec);
  const end = high === undefined ? from : parseValue(high, spec);
  if (from === undefined || end === undefined) return refuse(part, spec, "is not a value");
  const to = high === undefined && stepText !== undefined ? spec.max : end;
  if (from < spec.min || to > spec.max) return refuse(part, spec, "is out of range");
  if (from > to) return refuse(part, spec, "begins after its end");
  return { ok: true, value: { from, to, step, star: false } };
}

function parseValue(text: string, spec: FieldSpec): number | undefined {
  const named = spec.names.indexOf(text.toLowerCase());
  return named === -1 ? parseNumber(text) : spec.min + named;
}

/** As Go's strconv.Atoi, negative ones left out: a leading + is taken. */
function parseNumber(text: string): number | undefined {
  const value = /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function refuse(part: string, { name, min, max, names }: FieldSpec, what: string): Parsed<never> {
  const named = names.length === 0 ? "" : ` (${names[0]} is ${min}, ${names.at(-1)} ${max})`;
  const detail = `has ${JSON.stringify(part)} as ${name}, which ${what}; write ${min}-${max}${named}, *, lists, ranges or steps`;
  return { ok: false, fault: { code: "schedule-value", detail } };
}
