import type { TimeSeries } from "./metrics.ts";

/**
 * Metric math, as far as it is played here: `+ - * / ^`, parentheses, numbers, `ABS`, `CEIL`, `FLOOR`, `FILL`, and
 * `SUM`, `AVG`, `MIN`, `MAX` of one series (a number) or of a list of series (a series). A datapoint that one operand
 * lacks, and one that would be no number, is missing in the result.
 * Ref: Amazon CloudWatch User Guide, "Using metric math".
 */
export interface MathWorld {
  readonly series: (id: string) => TimeSeries | undefined;
  /** The instants of the periods that were asked for. */
  readonly instants: readonly number[];
}

type Value = number | TimeSeries | readonly TimeSeries[];

/** The series that an expression makes; throws one sentence for an expression that makes none. */
export function evaluate(expression: string, world: MathWorld): TimeSeries {
  const tokens = [...expression.matchAll(/\s*([A-Za-z_]\w*|\d+(?:\.\d+)?|[-+*/^()[\],])/gy)].map(
    ([, token = ""]) => token,
  );
  if (tokens.join("") !== expression.replaceAll(/\s/g, ""))
    throw new Error("it holds a character of no meaning here");
  let at = 0;
  const value = sum();
  if (at < tokens.length) throw new Error(`"${tokens[at]}" is not expected there`);
  if (!(value instanceof Map)) throw new Error("it makes no time series");
  return value;

  function take(expected?: string): string {
    const token = tokens[at] ?? "";
    if (expected !== undefined && token !== expected)
      throw new Error(`"${expected}" is expected, not "${token}"`);
    at += 1;
    return token;
  }

  function sum(): Value {
    let left = product();
    while (tokens[at] === "+" || tokens[at] === "-") left = combine(take(), left, product());
    return left;
  }

  function product(): Value {
    let left = power();
    while (tokens[at] === "*" || tokens[at] === "/") left = combine(take(), left, power());
    return left;
  }

  function power(): Value {
    const base = unary();
    return tokens[at] === "^" ? combine(take(), base, power()) : base;
  }

  function unary(): Value {
    if (tokens[at] !== "-") return atom();
    take();
    return combine("-", 0, unary());
  }

  function atom(): Value {
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token === "(") {
      const inner = sum();
      take(")");
      return inner;
    }
    if (token === "[") return list("]").map(asSeries);
    if (tokens[at] === "(") {
      take();
      return call(token, list(")"));
    }
    const series = world.series(token);
    if (series === undefined) throw new Error(`"${token}" is no id of the request`);
    return series;
  }

  function list(end: string): Value[] {
    const items = [sum()];
    while (tokens[at] === ",") {
      take();
      items.push(sum());
    }
    take(end);
    return items;
  }

  function call(name: string, args: readonly Value[]): Value {
    const [first, second] = args;
    if (first === undefined) throw new Error(`${name} needs an argument`);
    const each = EACH[name];
    if (each !== undefined) return map(asSeries(first), each);
    if (name === "FILL" && typeof second === "number") {
      const series = asSeries(first);
      return new Map(world.instants.map((instant) => [instant, series.get(instant) ?? second]));
    }
    const fold = FOLDS[name];
    if (fold === undefined || args.length !== 1)
      throw new Error(`${name} of ${args.length} is not played here`);
    if (!Array.isArray(first)) return fold([...asSeries(first as TimeSeries).values()]);
    const lists = first as readonly TimeSeries[];
    const entries = world.instants.map((instant) => {
      const values = lists.flatMap((series) => series.get(instant) ?? []);
      return [instant, values.length === 0 ? Number.NaN : fold(values)] as const;
    });
    return new Map(entries.filter(([, result]) => Number.isFinite(result)));
  }
}

const EACH: Readonly<Record<string, (value: number) => number>> = {
  ABS: Math.abs,
  CEIL: Math.ceil,
  FLOOR: Math.floor,
};

const FOLDS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  AVG: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  MIN: (values) => Math.min(...values),
  MAX: (values) => Math.max(...values),
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "^": (left, right) => left ** right,
};

function combine(operator: string, left: Value, right: Value): Value {
  const apply = OPERATORS[operator];
  if (apply === undefined) throw new Error(`${operator} is no operator`);
  if (typeof left === "number" && typeof right === "number") return apply(left, right);
  if (typeof right === "number") return map(asSeries(left), (value) => apply(value, right));
  if (typeof left === "number") return map(asSeries(right), (value) => apply(left, value));
  const others = asSeries(right);
  const both = [...asSeries(left)].filter(([instant]) => others.has(instant));
  return finite(both.map(([instant, value]) => [instant, apply(value, others.get(instant) ?? Number.NaN)]));
}

function map(series: TimeSeries, change: (value: number) => number): TimeSeries {
  return finite([...series].map(([instant, value]) => [instant, change(value)]));
}

function finite(entries: readonly (readonly [number, number])[]): TimeSeries {
  return new Map(entries.filter(([, value]) => Number.isFinite(value)));
}

function asSeries(value: Value): TimeSeries {
  if (value instanceof Map) return value;
  throw new Error("a time series is expected where there is none");
}
