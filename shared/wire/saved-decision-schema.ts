import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { ReadFaultCode } from "#domain/fleet/snapshot";
import type { MetricSpec } from "#domain/spec/federated-hpa";
import { METRIC_TYPES } from "#domain/spec/metric-faults";

z.config(en());

/**
 * The shape of a saved decision, after `decodeJson`. Objects are loose: what a newer version adds stays. The compiler
 * holds this against the domain's types, in `saved-decision.ts`.
 */
const optional = z.exactOptional;
const list = z.array;
const milli = z.union([z.number(), z.bigint()]);

const fault = z.looseObject({
  code: z.custom<ReadFaultCode>((code) => typeof code === "string", "must be a fault's code"),
  message: z.string(),
});

function read<T extends z.ZodMiniType>(value: T) {
  return z.discriminatedUnion("ok", [
    z.looseObject({ ok: z.literal(true), value }),
    z.looseObject({ ok: z.literal(false), fault }),
  ]);
}

const reference = z.looseObject({ apiVersion: z.string(), kind: z.string(), name: z.string() });

const amounts = {
  averageUtilization: optional(z.number()),
  averageValue: optional(milli),
  value: optional(milli),
};
const metricTarget = z.looseObject({ type: z.string(), ...amounts });

const knownMetric = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("Resource"), name: z.string(), target: metricTarget }),
  z.looseObject({
    type: z.literal("ContainerResource"),
    name: z.string(),
    container: z.string(),
    target: metricTarget,
  }),
  z.looseObject({ type: z.literal("Pods"), name: z.string(), selector: z.string(), target: metricTarget }),
  z.looseObject({
    type: z.literal("Object"),
    name: z.string(),
    selector: z.string(),
    describedObject: reference,
    target: metricTarget,
  }),
  z.looseObject({
    type: z.literal("External"),
    name: z.string(),
    selector: z.string(),
    target: metricTarget,
  }),
]);

/** A metric of a type that nobody knows keeps it, so that the decision refuses it by name as it did. */
const unknownMetric = z.custom<MetricSpec>((value) => {
  const { type, target } = (value ?? {}) as { readonly type?: unknown; readonly target?: unknown };
  return (
    typeof type === "string" && !METRIC_TYPES.includes(type) && typeof target === "object" && target !== null
  );
});
const metric = z.union([knownMetric, unknownMetric]);

const rules = z.looseObject({
  stabilizationWindowSeconds: optional(z.number()),
  selectPolicy: z.enum(["Max", "Min", "Disabled"]),
  policies: list(
    z.looseObject({ type: z.enum(["Pods", "Percent"]), value: z.number(), periodSeconds: z.number() }),
  ),
  tolerance: optional(z.number()),
});

const condition = z.looseObject({
  type: z.string(),
  status: z.enum(["True", "False", "Unknown"]),
  reason: z.string(),
  message: z.string(),
  lastTransitionMs: z.number(),
});

const metricStatus = z.looseObject({
  type: z.enum(["Resource", "ContainerResource", "Pods", "Object", "External"]),
  name: z.string(),
  container: optional(z.string()),
  selector: optional(z.string()),
  describedObject: optional(reference),
  current: z.looseObject(amounts),
});

const object = z.looseObject({
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  generation: z.number(),
  resourceVersion: z.string(),
  annotations: z.record(z.string(), z.string()),
  invalid: list(z.looseObject({ code: z.string(), path: z.string(), detail: z.string() })),
  spec: z.looseObject({
    scaleTargetRef: reference,
    minReplicas: z.number(),
    maxReplicas: z.number(),
    metrics: list(metric),
    behavior: optional(z.looseObject({ scaleUp: rules, scaleDown: rules })),
  }),
  status: z.looseObject({
    currentReplicas: z.number(),
    desiredReplicas: z.number(),
    lastScaleAtMs: optional(z.number()),
    observedGeneration: optional(z.number()),
    conditions: list(condition),
    currentMetrics: list(metricStatus),
  }),
});

const target = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  uid: z.string(),
  generation: z.number(),
  resourceVersion: z.string(),
  replicas: z.number(),
});

const binding = z.looseObject({
  name: z.string(),
  replicas: optional(z.number()),
  generation: z.number(),
  schedulerObservedGeneration: optional(z.number()),
  scheduled: optional(z.string()),
  clusters: list(z.looseObject({ name: z.string(), replicas: optional(z.number()) })),
  duplicated: z.boolean(),
});

const requests = z.record(z.string(), milli);
const pod = z.looseObject({
  name: z.string(),
  phase: optional(z.string()),
  deleted: z.boolean(),
  startedAtMs: optional(z.number()),
  ready: optional(z.looseObject({ status: z.string(), sinceMs: z.number() })),
  containers: list(z.looseObject({ name: z.string(), requests })),
  podRequests: optional(requests),
  labels: z.record(z.string(), z.string()),
  owner: optional(z.string()),
});

const sample = z.looseObject({
  pod: z.string(),
  milliValue: milli,
  timestampMs: z.number(),
  windowSeconds: z.number(),
});

const member = z.looseObject({
  cluster: z.string(),
  scale: read(
    z.looseObject({
      specReplicas: z.number(),
      statusReplicas: z.number(),
      selector: z.string(),
      foreignManager: optional(z.string()),
    }),
  ),
  pods: read(list(pod)),
  samples: list(read(list(sample))),
});

const reading = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("per-pod") }),
  z.looseObject({
    kind: z.literal("value"),
    milliValue: milli,
    timestampMs: z.number(),
    missingClusters: optional(list(z.string())),
  }),
  z.looseObject({ kind: z.literal("fault"), fault }),
]);

const snapshot = z.looseObject({
  hub: z.string(),
  instantMs: z.number(),
  object,
  target: read(target),
  binding: optional(read(binding)),
  members: list(member),
  metrics: list(reading),
  ambiguousWith: list(z.string()),
});

const scaleEvents = list(z.looseObject({ change: z.number(), atMs: z.number() }));

export const savedHistory = z.looseObject({
  recommendations: list(z.looseObject({ replicas: z.number(), firstMs: z.number(), lastMs: z.number() })),
  scaleUpEvents: scaleEvents,
  scaleDownEvents: scaleEvents,
  longestPeriodSeconds: optional(z.looseObject({ up: z.number(), down: z.number() })),
  lostSinceMs: optional(z.record(z.string(), z.number())),
  sharesDifferSinceMs: optional(z.number()),
});

const policy = z.looseObject({
  tolerance: z.number(),
  cpuInitializationPeriodSeconds: z.number(),
  initialReadinessDelaySeconds: z.number(),
  downscaleStabilizationSeconds: z.number(),
  syncPeriodSeconds: z.number(),
  lostCluster: z.enum(["hold", "assume-equal"]),
  lostClusterHoldSeconds: z.number(),
  caughtUpCheck: z.boolean(),
  allowExternal: z.boolean(),
  allowMinZero: z.boolean(),
});

export const savedDecision = z.looseObject({ v: z.literal(1), snapshot, history: savedHistory, policy });
