import * as z from "zod/mini";
import { parseInstant } from "#domain/units/instant";
import { parseQuantity } from "#domain/units/quantity";

/** The `spec` of a Scenario document. Every message goes on where a path ends: `spec.start must be …`. */

const positive = z.number("must be a number above 0").check(z.positive("must be above 0"));
const seconds = z.number("must be a number of seconds").check(z.nonnegative("must not be negative"));
const wholeSeconds = z.int("must be a whole number of seconds").check(z.nonnegative("must not be negative"));
const text = z.string("must be a text").check(z.minLength(1, "must not be empty"));
const count = z.int("must be a whole number").check(z.nonnegative("must not be negative"));
const instant = z
  .string("must be an instant such as 2026-03-02T09:00:00Z")
  .check(
    z.refine((value) => parseInstant(value) !== undefined, "must be an instant such as 2026-03-02T09:00:00Z"),
  );
const quantity = z.pipe(
  z.union([z.string(), z.number()], "must be a quantity such as 250m"),
  z.transform(String).check(z.refine((value) => parseQuantity(value).ok, "must be a quantity such as 250m")),
);
const textMap = z.record(z.string(), z.string("must be a text"), "must be a map of texts");

const cluster = z.strictObject({
  name: z
    .string("must be a text")
    .check(
      z.regex(
        /^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$/,
        "must be lower-case letters, digits and dashes, at most 48",
      ),
    ),
  labels: z.optional(textMap),
  region: z.optional(text),
  provider: z.optional(text),
  zones: z.optional(z.array(text, "must be a list of texts")),
  /** Absent: room for all. */
  capacity: z.optional(z.record(z.string(), quantity, "must be a map of quantities")),
});
export type ClusterSpec = z.infer<typeof cluster>;

const target = { apiVersion: text, kind: text, namespace: z.optional(text), name: text };
const at = { afterSeconds: seconds };
const manifest = z.looseObject(
  {
    apiVersion: text,
    kind: text,
    metadata: z.looseObject({ name: text, namespace: z.optional(text) }, "must be an object with a name"),
  },
  "must be a Kubernetes object",
);
export type Manifest = z.infer<typeof manifest>;
export const manifestSchema = manifest;

const FAULTS = ["cut-off", "reconnect", "fail-metrics", "restore-metrics"] as const;

const entry = z.discriminatedUnion(
  "do",
  [
    z.strictObject({ ...at, do: z.enum(FAULTS), cluster: text }),
    z.strictObject({ ...at, do: z.literal("slow"), cluster: text, milliseconds: count }),
    z.strictObject({ ...at, do: z.literal("scale"), ...target, replicas: count }),
    z.strictObject({ ...at, do: z.literal("delete"), ...target }),
    z.strictObject({ ...at, do: z.literal("apply"), manifest }),
  ],
  `must say what to do: ${[...FAULTS, "slow", "scale", "delete", "apply"].join(", ")}`,
);
export type EntrySpec = z.infer<typeof entry>;

export const scenarioSpec = z.strictObject(
  {
    description: z.optional(text),
    seed: z.optional(
      z.pipe(z.union([z.string(), z.number()], "must be a text or a number"), z.transform(String)),
    ),
    start: instant,
    warmUpSeconds: z.optional(wholeSeconds),
    clusters: z
      .array(cluster, "must be a list of clusters")
      .check(z.minLength(1, "must name at least one cluster")),
    pods: z.optional(
      z.strictObject({
        startSeconds: z.optional(wholeSeconds),
        readySeconds: z.optional(wholeSeconds),
        jitterSeconds: z.optional(wholeSeconds),
        stopSeconds: z.optional(wholeSeconds),
      }),
    ),
    metrics: z.optional(
      z.strictObject({
        intervalSeconds: z.optional(positive),
        windowSeconds: z.optional(
          z.int("must be a whole number of seconds").check(z.positive("must be above 0")),
        ),
        offsetSeconds: z.optional(seconds),
      }),
    ),
    readiness: z.optional(
      z.strictObject({
        failureSeconds: z.optional(seconds),
        successSeconds: z.optional(seconds),
        reportSeconds: z.optional(positive),
      }),
    ),
    applyDelaySeconds: z.optional(seconds),
    metricsAdapter: z.optional(z.boolean("must be true or false")),
    copies: z.optional(z.strictObject({ count: positive, namespaces: z.optional(positive) })),
    timeline: z.optional(z.array(entry, "must be a list")),
  },
  "must be an object",
);
export type ScenarioSpec = z.infer<typeof scenarioSpec>;
