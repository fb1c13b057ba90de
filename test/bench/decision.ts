import { readFileSync } from "node:fs";
import type { Pod, PodSample } from "#domain/fleet/pod";
import type { Snapshot } from "#domain/fleet/snapshot";
import { decideScale } from "#domain/scale/decide";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { Behavior } from "#domain/spec/federated-hpa";
import type { Measurement, Section } from "#test/bench/section";

interface BenchInput {
  readonly podCounts: readonly number[];
  readonly expected: Readonly<
    Record<
      string,
      {
        readonly metricMilliTotal: number;
        readonly currentUtilization: number;
        readonly metricDesiredReplicas: number;
        readonly desiredReplicas: number;
      }
    >
  >;
}

const INPUT: BenchInput = JSON.parse(
  readFileSync(new URL("bench-input.json", import.meta.url), "utf8"),
) as BenchInput;

const VARIANTS: Readonly<Record<string, Behavior | undefined>> = {
  noBehavior: undefined,
  defaultBehavior: {
    scaleUp: {
      stabilizationWindowSeconds: 0,
      selectPolicy: "Max",
      policies: [
        { type: "Pods", value: 4, periodSeconds: 15 },
        { type: "Percent", value: 100, periodSeconds: 15 },
      ],
    },
    scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
  },
};

const WARM_UP_MS = 400;
const MEASURE_MS = 1_500;
const BATCH = 5;

/** Nanoseconds per whole decision, from parsed pods and a list of samples to conditions, windows and limits. */
export const decision: Section = {
  name: "decision",
  run: async () =>
    INPUT.podCounts.flatMap((pods) =>
      Object.entries(VARIANTS).map(([variant, behavior]) => measure(pods, variant, behavior)),
    ),
};

function measure(pods: number, variant: string, behavior: Behavior | undefined): Measurement {
  const snapshot = snapshotOf(pods, behavior);
  check(pods, snapshot);
  timeFor(WARM_UP_MS, snapshot);
  const batches = timeFor(MEASURE_MS, snapshot);
  return { pods, variant, nsPerDecision: median(batches), rounds: batches.length * BATCH };
}

/** Nanoseconds per decision, batch by batch. */
function timeFor(ms: number, snapshot: Snapshot): number[] {
  const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
  const batches: number[] = [];
  for (let now = process.hrtime.bigint(); now < end; ) {
    for (let i = 0; i < BATCH; i++) decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
    const after = process.hrtime.bigint();
    batches.push(Number(after - now) / BATCH);
    now = after;
  }
  return batches;
}

/** Of the batches, so that whatever else the machine did meanwhile does not count. */
function median(batches: readonly number[]): number {
  const sorted = batches.toSorted((left, right) => left - right);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** Throws unless the decision is the one that `bench-input.json` names. */
export function check(pods: number, snapshot: Snapshot): void {
  const { desiredReplicas, trace } = decideScale(snapshot, EMPTY_HISTORY, DEFAULT_POLICY);
  const [metric] = trace.metrics;
  const samples = snapshot.members.flatMap(({ samples: [first] }) => (first?.ok ? first.value : []));
  const actual = {
    metricMilliTotal: samples.reduce((sum, { milliValue }) => sum + Number(milliValue), 0),
    currentUtilization: metric?.current?.averageUtilization,
    metricDesiredReplicas: metric?.proposal,
    desiredReplicas,
  };
  const expected = INPUT.expected[pods];
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${pods} pods: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

/** The input that `bench-input.json` describes, in one cluster. */
export function snapshotOf(count: number, behavior: Behavior | undefined): Snapshot {
  const nowMs = Date.UTC(2026, 2, 1, 12);
  const pods: Pod[] = Array.from({ length: count }, (_, i) => ({
    name: podName(i),
    phase: "Running",
    deleted: false,
    startedAtMs: nowMs - 3_600_000,
    ready: { status: "True", sinceMs: nowMs - 3_540_000 },
    containers: [{ name: "app", requests: { cpu: 200, memory: 268_435_456_000 } }],
    labels: { app: "web", "pod-template-hash": "6d4f9c7b58" },
  }));
  const samples: PodSample[] = pods.map(({ name }, i) => ({
    pod: name,
    milliValue: 100 + ((i * 37) % 101),
    timestampMs: nowMs - 10_000,
    windowSeconds: 30,
  }));
  return {
    hub: "bench",
    instantMs: nowMs,
    object: {
      namespace: "default",
      name: "web",
      uid: "bench",
      generation: 1,
      resourceVersion: "1",
      annotations: {},
      invalid: [],
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 1,
        maxReplicas: 2 * count,
        metrics: [{ type: "Resource", name: "cpu", target: { type: "Utilization", averageUtilization: 60 } }],
        ...(behavior === undefined ? {} : { behavior }),
      },
      status: { currentReplicas: 0, desiredReplicas: 0, conditions: [], currentMetrics: [] },
    },
    target: {
      ok: true,
      value: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        uid: "bench",
        generation: 1,
        resourceVersion: "1",
        replicas: count,
      },
    },
    binding: {
      ok: true,
      value: {
        name: "web-deployment",
        replicas: count,
        generation: 1,
        schedulerObservedGeneration: 1,
        scheduled: "True",
        clusters: [{ name: "member1", replicas: count }],
        duplicated: false,
      },
    },
    members: [
      {
        cluster: "member1",
        scale: { ok: true, value: { specReplicas: count, statusReplicas: count, selector: "app=web" } },
        pods: { ok: true, value: pods },
        samples: [{ ok: true, value: samples }],
      },
    ],
    metrics: [{ kind: "per-pod" }],
    ambiguousWith: [],
  };
}

function podName(i: number): string {
  return `web-6d4f9c7b58-${String(i).padStart(5, "0")}`;
}
