import * as z from "zod/mini";
import type { Parsed } from "#domain/units/parsed";
import { parseSelector } from "#domain/units/selector-parse";
import { mathQuery, singleQuery } from "./cloudwatch-query-schema.ts";

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

/**
 * The query that `definition` and the metric's selector make: `key=value` of the selector is one more dimension. Never
 * throws: anything else is one sentence.
 */
export function decodeCloudWatchQuery(definition: unknown, selector: string): Parsed<CloudWatchQuery> {
  const dimensions = dimensionsOf(selector);
  if (!dimensions.ok) return dimensions;
  const isMath = typeof definition === "object" && definition !== null && "expression" in definition;
  if (!isMath) {
    const read = z.safeParse(singleQuery, definition);
    if (!read.success) return refuse(sentence(read.error.issues));
    const { periodSeconds = DEFAULT_PERIOD_SECONDS, ...one } = read.data;
    return { ok: true, value: { periodSeconds, statistics: { m: filled(one, dimensions.value) } } };
  }
  const read = z.safeParse(mathQuery, definition);
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
