import type { Clock } from "#ports/clock";
import type { KubeObject } from "#sim/api/object";
import type { Fleet } from "#sim/fleet";
import { type Fault, throwSwitch } from "#sim/hub/faults";
import { KINDS, type Kind } from "#sim/kinds";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import { typeOf, written } from "#sim/writes";

/** Ways to change what a port looks at behind its back. */
export interface World {
  /** Makes so many ConfigMaps in a new namespace. */
  fill(namespace: string, count: number): void | Promise<void>;
  /** Creates or changes a ConfigMap on the hub. */
  put(namespace: string, name: string, data: Readonly<Record<string, string>>): void | Promise<void>;
  /** Deletes a ConfigMap. */
  drop(namespace: string, name: string): void | Promise<void>;
  /** Forgets all changes so far, as a compaction does; absent where that cannot be asked for. */
  compact?(): void;
}

/** The fleet that the contract of the Kubernetes port is examined on. */
export interface ContractFleet extends World {
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly faults: {
    cutOff(member: string): void;
    failMetrics(member: string): void;
  };
}

const CONFIG_MAPS: Kind = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const START = "2026-03-02T09:00:10Z";

export function contractFleet(): ContractFleet {
  const parsed = parseScenario([
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "contract" },
      spec: { start: START, clusters: [{ name: "member1" }, { name: "member2" }] },
    },
    deployment("shop", "web", 4, { app: "web", tier: "front" }),
    deployment("shop", "idle", 0, { app: "idle" }),
    deployment("other", "web", 1, { app: "web" }),
    configMap("shop", "settings", { color: "red" }),
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Load",
      metadata: { namespace: "shop", name: "web" },
      spec: {
        target: { kind: "Deployment", name: "web" },
        since: "2026-03-02T08:00:00Z",
        podMetrics: [{ name: "requests", labels: { route: "home" }, constant: 1 }],
        objectMetrics: [{ name: "waiting", constant: 60 }],
        externalMetrics: [{ name: "queue", labels: { name: "orders" }, constant: 7 }],
      },
    },
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { namespace: "shop", name: "everywhere" },
      spec: {
        resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
        placement: { replicaScheduling: { replicaSchedulingType: "Divided" } },
      },
    },
  ]);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  const loaded = loadScenario(parsed.value);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { fleet } = loaded;
  const { hub } = fleet;
  const nowMs = parsed.value.startMs;
  const configMaps = typeOf(hub, CONFIG_MAPS);
  const namespaces = typeOf(hub, KINDS.namespaces);
  if (configMaps === undefined || namespaces === undefined) throw new Error("the hub serves no ConfigMaps");

  function give(namespace: string): void {
    if (namespaces === undefined || hub.store.get(namespaces, undefined, namespace)) return;
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    written(hub.create(namespaces, object, { nowMs }));
  }

  function turn(member: string, fault: Fault): void {
    written(throwSwitch(hub, member, fault, nowMs));
    fleet.step(nowMs);
  }

  return {
    fleet,
    clock: { nowMs: () => nowMs },
    compact: () => hub.store.compact(),
    faults: {
      cutOff: (member) => turn(member, { kind: "cut-off" }),
      failMetrics: (member) => turn(member, { kind: "fail-metrics" }),
    },
    fill(namespace, count) {
      give(namespace);
      for (let index = 0; index < count; index++) {
        written(hub.create(configMaps, configMap(namespace, `item-${index}`, {}), { nowMs }));
      }
    },
    put(namespace, name, data) {
      give(namespace);
      const object = configMap(namespace, name, data);
      const before = hub.store.get(configMaps, namespace, name);
      written(
        before === undefined
          ? hub.create(configMaps, object, { nowMs })
          : hub.update(configMaps, object, { nowMs }),
      );
    },
    drop(namespace, name) {
      written(hub.delete(configMaps, { namespace, name }, { nowMs }));
    },
  };
}

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

function deployment(
  namespace: string,
  name: string,
  replicas: number,
  labels: Readonly<Record<string, string>>,
): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name, labels },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "main", image: "main", resources: { requests: { cpu: "100m" } } }] },
      },
    },
  };
}
