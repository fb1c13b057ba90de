import fc from "fast-check";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { History } from "#domain/scale/history";
import type { Policy } from "#domain/scale/policy";
import type { Behavior, MetricSpec, ScalingRules } from "#domain/spec/federated-hpa";
import {
  type Cluster,
  CPU_50,
  cpu,
  type Fleet,
  metricFault,
  NOW_MS,
  objectAverage,
  objectValue,
  type PodState,
  podsMetric,
  snapshotOf,
  value,
} from "#test/unit/scale/fleet";

/** Metrics that every fleet here has; the last two answer with one value. */
const METRICS: readonly MetricSpec[] = [
  CPU_50,
  podsMetric(100),
  cpu(130),
  objectValue(1000),
  objectAverage(100),
];

const usage = fc.option(fc.integer({ min: -20, max: 400 }), { nil: undefined, freq: 6 });

const pod: fc.Arbitrary<PodState> = fc.record({
  pod: fc.record(
    {
      phase: fc.constantFrom("Running", "Running", "Running", "Pending", "Succeeded", "Failed", "Unknown"),
      deleted: fc.constantFrom(false, false, false, true),
      startedAtMs: fc.integer({ min: NOW_MS - 600_000, max: NOW_MS }),
      ready: fc.record({
        status: fc.constantFrom("True", "True", "False"),
        sinceMs: fc.integer({ min: NOW_MS - 600_000, max: NOW_MS }),
      }),
    },
    { requiredKeys: ["phase", "deleted"] },
  ),
  usage: fc.array(usage, { minLength: 3, maxLength: 3 }),
});

const cluster: fc.Arbitrary<Cluster> = fc.record(
  {
    pods: fc.array(pod, { maxLength: 6 }),
    replicas: fc.integer({ min: 0, max: 8 }),
    strays: fc.constantFrom({}, { "gone-0": 300 }),
    unreadable: fc.constantFrom(
      {},
      {},
      {},
      { scale: "cluster-unreachable" as const },
      { pods: true as const },
      { metric: 0 },
    ),
  },
  { requiredKeys: ["pods"] },
);

const rules: fc.Arbitrary<ScalingRules> = fc.record(
  {
    stabilizationWindowSeconds: fc.integer({ min: 0, max: 600 }),
    selectPolicy: fc.constantFrom("Max", "Min", "Disabled"),
    policies: fc.array(
      fc.record({
        type: fc.constantFrom("Pods" as const, "Percent" as const),
        value: fc.integer({ min: 1, max: 200 }),
        periodSeconds: fc.integer({ min: 1, max: 600 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    tolerance: fc.constantFrom(0, 0.05, 0.2),
  },
  { requiredKeys: ["selectPolicy", "policies"] },
);

export const behavior: fc.Arbitrary<Behavior> = fc.record({ scaleUp: rules, scaleDown: rules });

const reading = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }).map(value) },
  { weight: 1, arbitrary: fc.constant(metricFault("503")) },
  { weight: 1, arbitrary: fc.constantFrom(value(Number.NaN), value(-1), value(2n ** 70n), value(Infinity)) },
);

/** Any world of one object, healthy or not. */
export const fleet: fc.Arbitrary<Fleet> = fc
  .record(
    {
      template: fc.integer({ min: 0, max: 14 }),
      bounds: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 14 })),
      metrics: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
      readings: fc.tuple(reading, reading),
      clusters: fc.dictionary(fc.constantFrom("a", "b", "c"), cluster, { minKeys: 1, maxKeys: 3 }),
      behavior,
      duplicated: fc.boolean(),
      binding: fc.constantFrom({}, {}, { scheduled: "False" }, { schedulerObservedGeneration: 1 }),
    },
    { requiredKeys: ["bounds", "metrics", "readings", "clusters"] },
  )
  .map(({ bounds: [min, extra], metrics, readings, clusters, ...rest }) => {
    const chosen = metrics.map((index) => METRICS[index] as MetricSpec);
    const single = chosen.flatMap(({ type }, index) => (type === "Object" ? [index] : []));
    const aligned = Object.fromEntries(single.map((index, at) => [index, readings[at] ?? value(0)]));
    // A pod's three usages stand for whichever of the first three metrics were chosen, in their order.
    return { ...rest, min, max: min + extra, metrics: chosen, values: aligned, clusters };
  });

export const history: fc.Arbitrary<History> = fc.record({
  recommendations: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 4_000 })), { maxLength: 6 })
    .map((pairs) =>
      pairs
        .map(([replicas, age]) => ({ replicas, firstMs: NOW_MS - age * 1000, lastMs: NOW_MS - age * 1000 }))
        .sort((left, right) => left.lastMs - right.lastMs),
    ),
  scaleUpEvents: fc.array(
    fc.record({
      change: fc.integer({ min: 1, max: 9 }),
      atMs: fc.integer({ min: NOW_MS - 900_000, max: NOW_MS }),
    }),
    { maxLength: 4 },
  ),
  scaleDownEvents: fc.array(
    fc.record({
      change: fc.integer({ min: 1, max: 9 }),
      atMs: fc.integer({ min: NOW_MS - 900_000, max: NOW_MS }),
    }),
    { maxLength: 4 },
  ),
});

export const policy: fc.Arbitrary<Partial<Policy>> = fc.record(
  {
    lostCluster: fc.constantFrom("hold" as const, "assume-equal" as const),
    caughtUpCheck: fc.boolean(),
    allowMinZero: fc.boolean(),
    tolerance: fc.constantFrom(0, 0.1, 0.5),
  },
  { requiredKeys: [] },
);

export const snapshot: fc.Arbitrary<Snapshot> = fleet.map(snapshotOf);
