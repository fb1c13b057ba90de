import * as z from "zod/mini";
import type { Parsed } from "#domain/units/parsed";
import { parseSelector } from "#domain/units/selector-parse";

/**
 * One number from CloudWatch, as `mainsheet.io/cloudwatch` states it: one statistic of one metric, or a metric math
 * expression over some. docs/external-metrics.md is its manual.
 */
export interface CloudWatchQuery {
  /** 1, 5, 10, 20, 30, or a multiple of 60. */
  readonly periodSeconds: number;
  /** By the names that the expression calls them by; a single one where there is no expression. */
  readonly statistics: Readonly<Record<string, CloudWatchStatistic>>;
  readonly expression?: string;
}

export interface CloudWatchStatistic {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** `Average`, `Sum`, `p99`, … */
  readonly stat: string;
}

const DEFAULT_PERIOD_SECONDS = 60;
const DEFAULT_STAT = "Average";
const MAX_DIMENSIONS = 30;
const FULL_RESOLUTION = [1, 5, 10, 20, 30];

const text = (limit: number) =>
  z
    .string("must be a text")
    .check(z.minLength(1, "must not be empty"), z.maxLength(limit, `must have at most ${limit} characters`));

const statistic = {
  namespace: text(255),
  metric: text(255),
  dimensions: z.optional(
    z
      .record(text(255), text(1024), "must be a map of texts")
      .check(
        z.refine((map) => Object.keys(map).length <= MAX_DIMENSIONS, `must have at most ${MAX_DIMENSIONS}`),
      ),
  ),
  stat: z.optional(
    z
      .string("must be a text")
      .check(
        z.regex(
          /^(Average|Sum|Minimum|Maximum|SampleCount|IQM|(p|tm|wm|tc|ts)\d{1,3}(\.\d{1,10})?|(TM|WM|PR|TC|TS)\([\d.%]*:[\d.%]*\))$/,
          "must be a statistic such as Average, Sum, Minimum, Maximum, SampleCount or p99",
        ),
      ),
  ),
};
const period = {
  periodSeconds: z.optional(
    z.int("must be a whole number of seconds").check(
      z.refine(
        (seconds) => FULL_RESOLUTION.includes(seconds) || (seconds > 0 && seconds % 60 === 0),
        "must be 1, 5, 10, 20, 30 or a multiple of 60",
      ),
      z.lte(86_400, "must be at most a day, 86400"),
    ),
  ),
};
const single = z.strictObject({ ...statistic, ...period }, "must be an object");
const math = z.strictObject(
  {
    expression: text(2048).check(
      z.refine(
        (expression) => !/\bMETRICS\s*\(/.test(expression),
        "must name its metrics: METRICS() would mean those of other objects too",
      ),
    ),
    metrics: z.optional(
      z.record(
        z
          .string()
          .check(
            z.regex(
              /^[a-z][a-zA-Z0-9_]{0,99}$/,
              "must begin with a lower-case letter, then letters, digits, _",
            ),
          ),
        z.strictObject(statistic, "must be an object"),
        "must be a map of metrics",
      ),
    ),
    ...period,
  },
  "must be an object",
);

/**
 * The query that `definition` and the metric's selector make: `key=value` of the selector is one more dimension. Never
 * throws: anything else is one sentence.
 */
export function decodeCloudWatchQuery(definition: unknown, selector: string): Parsed<CloudWatchQuery> {
  const dimensions = dimensionsOf(selector);
  if (!dimensions.ok) return dimensions;
  const isMath = typeof definition === "object" && definition !== null && "expression" in definition;
  if (!isMath) {
    const read = z.safeParse(single, definition);
    if (!read.success) return refuse(sentence(read.error.issues));
    const { periodSeconds = DEFAULT_PERIOD_SECONDS, ...one } = read.data;
    return { ok: true, value: { periodSeconds, statistics: { m: filled(one, dimensions.value) } } };
  }
  const read = z.safeParse(math, definition);
  if (!read.success) return refuse(sentence(read.error.issues));
  if (Object.keys(dimensions.value).length > 0) {
    return refuse("a selector cannot be told apart among an expression's metrics; write dimensions instead");
  }
  const { periodSeconds = DEFAULT_PERIOD_SECONDS, expression, metrics = {} } = read.data;
  const statistics = Object.fromEntries(Object.entries(metrics).map(([id, one]) => [id, filled(one, {})]));
  return { ok: true, value: { periodSeconds, statistics, expression } };
}

function filled(
  {
    dimensions = {},
    stat = DEFAULT_STAT,
    ...metric
  }: {
    readonly namespace: string;
    readonly metric: string;
    readonly dimensions?: Readonly<Record<string, string>> | undefined;
    readonly stat?: string | undefined;
  },
  more: Readonly<Record<string, string>>,
): CloudWatchStatistic {
  return { ...metric, dimensions: { ...dimensions, ...more }, stat };
}

function dimensionsOf(selector: string): Parsed<Readonly<Record<string, string>>> {
  const parsed = parseSelector(selector);
  if (!parsed.ok) return parsed;
  const dimensions: Record<string, string> = {};
  for (const { key, operator, values } of parsed.value.requirements) {
    const [value, ...others] = values;
    if (value === undefined || others.length > 0 || !["=", "==", "in"].includes(operator)) {
      return refuse(`the selector ${selector} is no list of key=value, and CloudWatch has dimensions only`);
    }
    dimensions[key] = value;
  }
  return { ok: true, value: dimensions };
}

function sentence(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const [issue] = issues;
  const path = issue?.path.join(".") ?? "";
  return path === "" ? (issue?.message ?? "") : `${path}: ${issue?.message}`;
}

function refuse(detail: string): {
  readonly ok: false;
  readonly fault: { code: "cloudwatch-query"; detail: string };
} {
  return { ok: false, fault: { code: "cloudwatch-query", detail } };
}
