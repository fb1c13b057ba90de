import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { parseInstant } from "#domain/units/instant";
import type { KubeObject } from "#sim/api/object";
import type { Store } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { type Fault, throwSwitch } from "#sim/hub/faults";
import { KINDS } from "#sim/kinds";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario, type Scenario, type ScenarioOverrides } from "#sim/scenario/scenario";
import { written } from "#sim/writes";

export const START_MS = parseInstant("2026-03-02T09:00:00Z") ?? 0;

/** A fleet with what tests ask of it, and a clock that only they move. */
export interface SmallFleet {
  readonly fleet: Fleet;
  readonly scenario: Scenario;
  /** Seconds from the scenario's start. */
  now(): number;
  /** Lets the fleet run up to an instant. */
  runTo(seconds: number): void;
  scale(name: string, replicas: number): void;
  patch(apiVersion: string, kind: string, name: string, body: object): void;
  remove(apiVersion: string, kind: string, name: string): void;
  fault(cluster: string, fault: Fault): void;
  template(name: string): KubeObject | undefined;
  binding(name: string): KubeObject | undefined;
  /** `spec.clusters` as `member1: 3, member2: 2`. */
  shares(name: string): string;
  /** The pods of a member, by name. */
  pods(member: string): readonly KubeObject[];
  /** What the member's metrics API says, `cpu` by pod in millicores. */
  cpu(member: string): Readonly<Record<string, number>>;
}

export interface SmallFleetOptions extends ScenarioOverrides {
  readonly storeOf?: (server: string) => Store;
}

export function smallFleet(documents: readonly unknown[], options: SmallFleetOptions = {}): SmallFleet {
  const { storeOf, ...overrides } = options;
  const parsed = parseScenario(documents, overrides);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const loaded = loadScenario(parsed.value, storeOf === undefined ? {} : { storeOf });
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  const { hub, members } = fleet;
  let nowMs = parsed.value.startMs;
  const namespace = "default";

  function typeFor(apiVersion: string, kind: string) {
    const type = hub.catalogue.findKind(apiVersion, kind);
    if (type === undefined) throw new Error(`no ${kind}`);
    return type;
  }

  function member(name: string) {
    const server = members.get(name);
    if (server === undefined) throw new Error(`no ${name}`);
    return server;
  }

  function patch(apiVersion: string, kind: string, name: string, body: object): void {
    const type = typeFor(apiVersion, kind);
    const key = type.namespaced ? { namespace, name } : { name };
    written(hub.patch(type, key, { type: "merge", body }, { nowMs, fieldManager: "test" }));
    fleet.step(nowMs);
  }

  const small: SmallFleet = {
    fleet,
    scenario: parsed.value,
    now: () => (nowMs - parsed.value.startMs) / 1000,
    runTo(seconds) {
      nowMs = parsed.value.startMs + seconds * 1000;
      fleet.step(nowMs);
    },
    scale: (name, replicas) => patch("apps/v1", "Deployment", name, { spec: { replicas } }),
    patch,
    remove(apiVersion, kind, name) {
      const type = typeFor(apiVersion, kind);
      written(hub.delete(type, type.namespaced ? { namespace, name } : { name }, { nowMs }));
      fleet.step(nowMs);
    },
    fault(cluster, fault) {
      written(throwSwitch(hub, cluster, fault, nowMs));
      fleet.step(nowMs);
    },
    template: (name) => hub.store.get(KINDS.deployments, namespace, name),
    binding: (name) => hub.store.get(KINDS.bindings, namespace, `${name}-deployment`),
    shares(name) {
      const clusters = (small.binding(name)?.spec?.clusters ?? []) as { name: string; replicas?: number }[];
      return clusters.map((cluster) => `${cluster.name}: ${cluster.replicas ?? 0}`).join(", ");
    },
    pods: (name) => member(name).store.list(KINDS.pods),
    cpu(name) {
      const server = member(name);
      const type = server.catalogue.find("metrics.k8s.io/v1beta1", "pods");
      if (type === undefined) throw new Error("no metrics");
      const { items } = written(server.list(type, {}, nowMs));
      return Object.fromEntries(
        items.map((item) => {
          const [container] = item.containers as [{ usage: { cpu: string } }];
          return [item.metadata.name, Number.parseInt(container.usage.cpu, 10) / 1_000_000];
        }),
      );
    },
  };
  return small;
}

/** The Scenario document of two clusters (or those named). */
export function scenarioDocument(spec: object = {}, clusters: readonly string[] = ["member1", "member2"]) {
  return {
    apiVersion: "mainsheet.io/v1alpha1",
    kind: "Scenario",
    metadata: { name: "small" },
    spec: { start: "2026-03-02T09:00:00Z", clusters: clusters.map((name) => ({ name })), ...spec },
  };
}

export function deploymentDocument(replicas: number, spec: object = {}, name = "web") {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: "main",
              image: "main:1",
              resources: { requests: { cpu: "100m" }, limits: { cpu: "500m" } },
            },
          ],
        },
      },
      ...spec,
    },
  };
}

/** A policy over all Deployments of the namespace; `placement` as Karmada writes it. */
export function policyDocument(placement: object, spec: object = {}, name = "everywhere") {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name },
    spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement, ...spec },
  };
}

export const DUPLICATED = { replicaScheduling: { replicaSchedulingType: "Duplicated" } };

/** Static weights by cluster. */
export function weighted(weights: Readonly<Record<string, number>>) {
  return {
    replicaScheduling: {
      replicaSchedulingType: "Divided",
      replicaDivisionPreference: "Weighted",
      weightPreference: {
        staticWeightList: Object.entries(weights).map(([name, weight]) => ({
          targetCluster: { clusterNames: [name] },
          weight,
        })),
      },
    },
  };
}

export function loadDocument(spec: object, name = "web") {
  return {
    apiVersion: "mainsheet.io/v1alpha1",
    kind: "Load",
    metadata: { name },
    spec: { target: { kind: "Deployment", name }, ...spec },
  };
}

/** The documents of a built-in scenario. */
export function builtIn(name: string): readonly unknown[] {
  const text = readFileSync(`infra/local/scenarios/${name}.yaml`, "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}
