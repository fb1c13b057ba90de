import { hubExternalMetrics } from "#adapters/kubernetes/external-metrics";
import { memoryBus } from "#adapters/memory/bus";
import { memoryClock } from "#adapters/memory/clock";
import { memoryIds } from "#adapters/memory/ids";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { memoryQueue } from "#adapters/memory/queue";
import { memoryTable } from "#adapters/memory/table";
import { hubCache } from "#app/load/context";
import type { ExternalSources } from "#app/load/external-metrics";
import { type Loaded, openLoad } from "#app/load/open-load";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { KubeObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { throwSwitch } from "#sim/hub/faults";
import { KINDS } from "#sim/kinds";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import { written } from "#sim/writes";
import { type Count, countedKubernetes } from "#test/bench/counted-ports";

const START_MS = Date.parse("2026-03-02T09:00:00Z");
const SLOT_MS = 15_000;

/** The real use cases over a fleet of two clusters with metrics of every kind, object by object. */
export interface MetricWorld {
  readonly fleet: Fleet;
  nowMs(): number;
  /** Reads these objects in one invocation. */
  load(...names: string[]): Promise<readonly (Loaded | undefined)[]>;
  /** What has been asked since `load` or `slots` was last called. */
  readonly requests: ReadonlyMap<string, number>;
  /** Lets time pass by slots, each of which reconciles all objects. */
  slots(count: number): Promise<void>;
  replicas(): number;
  condition(type: string): { readonly status: string; readonly reason: string; readonly message: string };
  failMetrics(cluster: string): void;
  cutOff(cluster: string): void;
  setLoad(spec: object): void;
}

export interface MetricWorldOptions {
  readonly load: object;
  readonly objects: readonly KubeObject[];
  readonly replicas?: number;
  readonly external?: ExternalSources;
  /** Whether Karmada's metrics adapter is installed on the hub. */
  readonly metricsAdapter?: boolean;
}

export function metricWorld(options: MetricWorldOptions): MetricWorld {
  const { load, objects, replicas = 2, external = {}, metricsAdapter = false } = options;
  const parsed = parseScenario([
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "metrics" },
      spec: {
        start: "2026-03-02T09:00:00Z",
        clusters: ["member1", "member2"].map((name) => ({ name })),
        metricsAdapter,
      },
    },
    statefulSet(replicas),
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { name: "everywhere" },
      spec: {
        resourceSelectors: [{ apiVersion: "apps/v1", kind: "StatefulSet" }],
        placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } },
      },
    },
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Load",
      metadata: { name: "web" },
      spec: { target: { kind: "StatefulSet", name: "web" }, since: "2026-03-02T08:00:00Z", ...load },
    },
    ...objects,
  ]);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const loaded = loadScenario(parsed.value);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  const clock = memoryClock(START_MS);
  const requests = new Map<string, number>();
  const count: Count = (what, by = 1) => {
    requests.set(what, (requests.get(what) ?? 0) + by);
  };
  const port = countedKubernetes(memoryKubernetes(fleet, clock), count);
  const cache = hubCache(port);
  const sources = { hub: hubExternalMetrics(port), ...external };
  const deps: ReconcileDeps = {
    clock,
    ids: memoryIds(),
    log: { info() {}, warn() {}, error() {} },
    table: memoryTable({ clock }),
    queue: memoryQueue({ clock, queues: { reconcile: { fifo: true } } }),
    bus: memoryBus(),
    hubs: { local: { port, cache, external: sources, mode: "active" } },
    policy: DEFAULT_POLICY,
    logDecisions: "all",
  };
  const keyOf = (name: string) => ({ namespace: "default", name });

  async function slot(): Promise<void> {
    clock.advance(SLOT_MS);
    const keys = objects.map(({ metadata: { name = "" } }) => keyOf(name));
    const message = {
      v: 1,
      kind: "shard",
      hub: "local",
      shard: "s",
      dueAtMs: clock.nowMs(),
      objects: keys,
    } as const;
    const work = openReconcile(deps, [message], new AbortController().signal);
    await work(message, { messageId: "m", receiveCount: 1 });
    fleet.step(clock.nowMs());
  }

  return {
    fleet,
    requests,
    nowMs: () => clock.nowMs(),
    async load(...names) {
      requests.clear();
      const context = { hub: "local", port, cache, external: sources, nowMs: clock.nowMs() };
      const loadOne = openLoad(context, names.map(keyOf));
      return Promise.all(names.map((name) => loadOne(keyOf(name), clock.nowMs())));
    },
    async slots(times) {
      requests.clear();
      for (let i = 0; i < times; i++) await slot();
    },
    replicas: () => Number(fleet.hub.store.get(KINDS.statefulSets, "default", "web")?.spec?.replicas),
    condition(type) {
      const [object] = objects;
      const fhpas = { group: "autoscaling.karmada.io", resource: "federatedhpas" };
      const stored = fleet.hub.store.get(fhpas, "default", object?.metadata.name ?? "");
      const conditions = (stored?.status?.conditions ?? []) as ReturnType<MetricWorld["condition"]>[];
      const found = conditions.find((condition) => (condition as unknown as { type: string }).type === type);
      if (found === undefined) throw new Error(`no condition ${type}`);
      return found;
    },
    failMetrics(cluster) {
      written(throwSwitch(fleet.hub, cluster, { kind: "fail-metrics" }, clock.nowMs()));
    },
    cutOff(cluster) {
      written(throwSwitch(fleet.hub, cluster, { kind: "cut-off" }, clock.nowMs()));
    },
    setLoad(spec) {
      const type = fleet.hub.catalogue.find("mainsheet.io/v1alpha1", "loads");
      if (type === undefined) throw new Error("the hub serves no Loads");
      const patch = { type: "merge", body: { spec } } as const;
      written(fleet.hub.patch(type, keyOf("web"), patch, { nowMs: clock.nowMs() }));
    },
  };
}

/** A FederatedHPA of the StatefulSet `web`. */
export function scalerOf(name: string, metrics: readonly object[], more: MetricScaler = {}): KubeObject {
  const { annotations = {}, ...spec } = more;
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "FederatedHPA",
    metadata: { name, annotations },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "web" },
      minReplicas: 1,
      maxReplicas: 20,
      metrics,
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
      ...spec,
    },
  };
}

export interface MetricScaler {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

export const podsMetric = (averageValue: string, name = "requests", selector?: object) => ({
  type: "Pods",
  pods: {
    metric: { name, ...(selector === undefined ? {} : { selector }) },
    target: { type: "AverageValue", averageValue },
  },
});

const STATEFUL_SET = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web" };

export const objectMetric = (value: string, name = "waiting", describedObject = STATEFUL_SET) => ({
  type: "Object",
  object: {
    describedObject,
    metric: { name },
    target: { type: "Value", value },
  },
});

export const externalMetric = (averageValue: string, name: string) => ({
  type: "External",
  external: { metric: { name }, target: { type: "AverageValue", averageValue } },
});

function statefulSet(replicas: number): KubeObject {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "web" },
    spec: {
      replicas,
      serviceName: "web",
      selector: { matchLabels: labels },
      podManagementPolicy: "Parallel",
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "main", resources: { requests: { cpu: "100m" } } }] },
      },
    },
  };
}
