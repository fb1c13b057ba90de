import * as z from "zod/mini";

/** The forms of a CloudWatch query in `mainsheet.io/cloudwatch`. Every message goes on where a path ends. */

const MAX_DIMENSIONS = 30;
const FULL_RESOLUTION = [1, 5, 10, 20, 30];
const ID = "must begin with a lower-case letter, then letters, digits, _";

/** What is wrong with an object: its type, or a member that would be left out. */
const closed = {
  error: (issue: { readonly code?: string | undefined; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys" ? `knows no ${issue.keys?.join(", ")}` : "must be an object",
};
const byId = {
  error: (issue: { readonly code?: string | undefined }) =>
    issue.code === "invalid_key" ? ID : "must be a map of metrics",
};

function text(limit: number) {
  return z
    .string("must be a text")
    .check(z.minLength(1, "must not be empty"), z.maxLength(limit, `must have at most ${limit} characters`));
}

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

/** One statistic of one metric. */
export const singleQuery = z.strictObject({ ...statistic, ...period }, closed);

/** Metric math over some, by the names that the expression calls them by. */
export const mathQuery = z.strictObject(
  {
    expression: text(2048).check(
      z.refine(
        (expression) => !/\bMETRICS\s*\(/.test(expression),
        "must name its metrics: METRICS() would mean those of other objects too",
      ),
    ),
    metrics: z.optional(
      z.record(
        z.string().check(z.regex(/^[a-z][a-zA-Z0-9_]{0,99}$/)),
        z.strictObject(statistic, closed),
        byId,
      ),
    ),
    ...period,
  },
  closed,
);
