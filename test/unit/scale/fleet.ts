import type { ContainerRequests, Pod, PodSample } from "#domain/fleet/pod";
import type { Binding, Member, MetricReading, Read, ReadFaultCode, Snapshot } from "#domain/fleet/snapshot";
import { decideScale } from "#domain/scale/decide";
import type { Decision } from "#domain/scale/decision";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { DEFAULT_POLICY, type Policy } from "#domain/scale/policy";
import type {
  Behavior,
  FederatedHpa,
  FederatedHpaStatus,
  MetricSpec,
  ScalingRules,
} from "#domain/spec/federated-hpa";
import type { MilliValue } from "#domain/units/milli";

/** The instant of a snapshot that says nothing else. */
export const NOW_MS = Date.UTC(2026, 2, 1, 12);

/** One object and its world, as far as a test cares; the rest is healthy. Pods ask for 100m CPU, the target is 50 %. */
export interface Fleet {
  readonly atSeconds?: number;
  readonly min?: number;
  readonly max?: number;
  readonly metrics?: readonly MetricSpec[];
  readonly behavior?: Behavior;
  /** Readings of Object and External metrics, by their index. */
  readonly values?: Readonly<Record<number, MetricReading>>;
  readonly template?: number;
  readonly clusters: Readonly<Record<string, Cluster>>;
  readonly duplicated?: boolean;
  readonly binding?: Partial<Binding>;
  readonly status?: Partial<FederatedHpaStatus>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ambiguousWith?: readonly string[];
  readonly invalid?: FederatedHpa["invalid"];
}

export interface Cluster {
  readonly pods?: readonly PodState[];
  /** `spec.replicas` and `status.replicas`; the number of pods where absent. */
  readonly replicas?: number;
  readonly statusReplicas?: number;
  readonly selector?: string;
  /** Samples of pods that are in no list. */
  readonly strays?: Readonly<Record<string, MilliValue>>;
  /** What could not be read of this cluster. */
  readonly unreadable?: { readonly scale?: ReadFaultCode; readonly pods?: true; readonly metric?: number };
}

/** A pod and what each metric measured of it; `undefined` where it has no sample. */
export interface PodState {
  readonly pod: Partial<Pod>;
  readonly usage: readonly (MilliValue | undefined)[];
}

/** Running and ready for long, with one value per metric. */
export function ready(...usage: (MilliValue | undefined)[]): PodState {
  return { pod: {}, usage };
}

/** Running and ready, without any sample. */
export function unmeasured(pod: Partial<Pod> = {}): PodState {
  return { pod, usage: [] };
}

export function podWith(pod: Partial<Pod>, ...usage: (MilliValue | undefined)[]): PodState {
  return { pod, usage };
}

export function times(count: number, state: PodState): PodState[] {
  return Array.from({ length: count }, () => state);
}

export const CPU_50: MetricSpec = {
  type: "Resource",
  name: "cpu",
  target: { type: "Utilization", averageUtilization: 50 },
};

export function cpu(averageUtilization: number): MetricSpec {
  return { ...CPU_50, target: { type: "Utilization", averageUtilization } } as MetricSpec;
}

export function podsMetric(averageValue: MilliValue): MetricSpec {
  return { type: "Pods", name: "rps", selector: "", target: { type: "AverageValue", averageValue } };
}

const SERVICE = { apiVersion: "v1", kind: "Service", name: "front" };

export function objectValue(value: MilliValue): MetricSpec {
  return {
    type: "Object",
    name: "rps",
    selector: "",
    describedObject: SERVICE,
    target: { type: "Value", value },
  };
}

export function objectAverage(averageValue: MilliValue): MetricSpec {
  const target = { type: "AverageValue", averageValue };
  return { type: "Object", name: "rps", selector: "", describedObject: SERVICE, target };
}

export function value(milliValue: MilliValue): MetricReading {
  return { kind: "value", milliValue, timestampMs: NOW_MS };
}

export function metricFault(message: string): MetricReading {
  return { kind: "fault", fault: { code: "metric-unreadable", message } };
}

/** The rules that defaulting gives a side of `behavior` (semantics 4.3), changed by `rules`. */
export function scaleUp(rules: Partial<ScalingRules> = {}): ScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
    ...rules,
  };
}

export function scaleDown(rules: Partial<ScalingRules> = {}): ScalingRules {
  return { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }], ...rules };
}

export function decide(
  fleet: Fleet,
  history: History = EMPTY_HISTORY,
  policy: Partial<Policy> = {},
): Decision {
  return decideScale(snapshotOf(fleet), history, { ...DEFAULT_POLICY, ...policy });
}

/** What the metrics ask for, before min, max, windows and policies. */
export function proposedBy(fleet: Fleet, policy: Partial<Policy> = {}): number | undefined {
  return decide(fleet, EMPTY_HISTORY, policy).trace.limits?.proposed;
}

export function condition(decision: Decision, type: string): string | undefined {
  const found = decision.status.conditions.find((candidate) => candidate.type === type);
  return found && `${found.status}/${found.reason}`;
}

/** A history of runs of one sample each, given as [replicas, age in seconds]. */
export function remembered(...recommendations: readonly (readonly [number, number])[]): History {
  return {
    ...EMPTY_HISTORY,
    recommendations: recommendations.map(([replicas, ageSeconds]) => {
      const atMs = NOW_MS - ageSeconds * 1000;
      return { replicas, firstMs: atMs, lastMs: atMs };
    }),
  };
}

export function snapshotOf(fleet: Fleet): Snapshot {
  const { atSeconds = 0, min = 1, max = 100, clusters, metrics = [CPU_50], behavior, status } = fleet;
  const instantMs = NOW_MS + atSeconds * 1000;
  const members = Object.entries(clusters).map(([name, cluster]) =>
    memberOf(name, cluster, metrics, instantMs),
  );
  const counts = members.map(({ scale }) => (scale.ok ? scale.value.specReplicas : 0));
  const template = fleet.template ?? counts.reduce((sum, count) => sum + count, 0);
  return {
    hub: "test",
    instantMs,
    object: {
      namespace: "shop",
      name: "web",
      uid: "fhpa-uid",
      generation: 7,
      resourceVersion: "70",
      annotations: fleet.annotations ?? {},
      invalid: fleet.invalid ?? [],
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: min,
        maxReplicas: max,
        metrics,
        ...(behavior === undefined ? {} : { behavior }),
      },
      status: { currentReplicas: 0, desiredReplicas: 0, conditions: [], currentMetrics: [], ...status },
    },
    target: {
      ok: true,
      value: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        uid: "target-uid",
        generation: 3,
        resourceVersion: "30",
        replicas: template,
      },
    },
    binding: { ok: true, value: { ...caughtUpBinding(template, clusters, counts, fleet), ...fleet.binding } },
    members,
    metrics: metrics.map((_, index) => fleet.values?.[index] ?? { kind: "per-pod" }),
    ambiguousWith: fleet.ambiguousWith ?? [],
  };
}

function caughtUpBinding(
  template: number,
  clusters: Fleet["clusters"],
  counts: readonly number[],
  { duplicated = false }: Fleet,
): Binding {
  return {
    name: "web-deployment",
    replicas: template,
    generation: 2,
    schedulerObservedGeneration: 2,
    scheduled: "True",
    clusters: Object.entries(clusters).map(([name, { replicas }], index) => ({
      name,
      replicas: replicas ?? counts[index] ?? 0,
    })),
    duplicated,
  };
}

const CONTAINERS: readonly ContainerRequests[] = [{ name: "app", requests: { cpu: 100, memory: 100 } }];

function memberOf(
  cluster: string,
  shape: Cluster,
  metrics: readonly MetricSpec[],
  instantMs: number,
): Member {
  const { pods = [], replicas = pods.length, statusReplicas = replicas, selector = "app=web" } = shape;
  const { unreadable = {}, strays = {} } = shape;
  const fault = (code: ReadFaultCode, message: string) => ({ ok: false, fault: { code, message } }) as const;
  const sample = (pod: string, milliValue: MilliValue): PodSample => ({
    pod,
    milliValue,
    timestampMs: instantMs - 10_000,
    windowSeconds: 15,
  });
  // Every cluster has a web-0: a pod's name alone is never its identity (D-03).
  const list: Pod[] = pods.map(({ pod }, index) => ({
    name: `web-${index}`,
    phase: "Running",
    deleted: false,
    startedAtMs: instantMs - 3_600_000,
    ready: { status: "True", sinceMs: instantMs - 3_590_000 },
    containers: CONTAINERS,
    labels: { app: "web" },
    ...pod,
  }));
  const samplesOf = (index: number): Read<readonly PodSample[]> => {
    if (unreadable.metric === index)
      return fault("metric-unreadable", "503 the server is unable to handle the request");
    const own = list.flatMap(({ name }, at) => {
      const usage = pods[at]?.usage[index];
      return usage === undefined ? [] : [sample(name, usage)];
    });
    return { ok: true, value: [...own, ...Object.entries(strays).map(([pod, milli]) => sample(pod, milli))] };
  };
  return {
    cluster,
    scale: unreadable.scale
      ? fault(unreadable.scale, `cluster ${cluster} does not answer`)
      : { ok: true, value: { specReplicas: replicas, statusReplicas, selector } },
    pods: unreadable.pods ? fault("pods-unreadable", "403 forbidden") : { ok: true, value: list },
    samples: metrics.map(({ type }, index) =>
      type === "Object" || type === "External" ? { ok: true, value: [] } : samplesOf(index),
    ),
  };
}
