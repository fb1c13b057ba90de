import type { Amount } from "#infra/browser/page/protocol";
import type { KubeObject } from "#sim/api/object";
import type { StoredResource } from "#sim/api/store";
import type { Fleet } from "#sim/fleet";
import { openFleetView } from "#sim/fleet-view";
import { isClusterReady } from "#sim/hub/cluster-state";
import { isCutOff } from "#sim/hub/faults";
import { keyTextOf, readKeyText, refKey } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { type Demand, type LoadSpec, loadOf } from "#sim/load/load";
import { loadMetricsOf } from "#sim/load/load-metrics";
import { demandMilli } from "#sim/load/shape";

const FHPAS: StoredResource = { group: "autoscaling.karmada.io", resource: "federatedhpas" };

/** An object as the embedded fleet has it at the moment. */
export interface Placed {
  /** Replicas by cluster, as the scheduler gave them; clusters with none are left out. */
  readonly clusters: Readonly<Record<string, number>>;
  readonly readyIn: Readonly<Record<string, number>>;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** `Deployment/web` */
  readonly target: string;
}

export interface FleetEye {
  /** Grows with every write anywhere in the fleet. */
  version(): number;
  /** `namespace/name` of every FederatedHPA. */
  keys(): readonly string[];
  placed(key: string): Placed | undefined;
  clusters(): readonly { readonly name: string; readonly isReady: boolean; readonly isCutOff: boolean }[];
  /** The Load on an object's target, if it has one. */
  loadOn(key: string): KubeObject | undefined;
}

/** Looks into the stores of an embedded fleet, without the API and its rights: the page shows the world as it is. */
export function openFleetEye(fleet: Fleet): FleetEye {
  const { hub, members } = fleet;
  const view = openFleetView(fleet);
  const loads = new Map<string, KubeObject>();
  for (const load of hub.store.list(KINDS.loads)) loads.set(loadOf(load).target, load);
  hub.store.subscribe((change) => {
    if (!isOf(change, KINDS.loads)) return;
    if (change.previous !== undefined) loads.delete(loadOf(change.previous).target);
    if (change.type !== "DELETED") loads.set(loadOf(change.object).target, change.object);
  });

  const byCluster = (counts: readonly number[]) =>
    Object.fromEntries(
      view.clusters.map((name, i) => [name, counts[i] ?? 0] as const).filter(([, count]) => count > 0),
    );

  const targetOf = (key: string) => {
    const { namespace = "", name } = readKeyText(key);
    const object = hub.store.get(FHPAS, namespace, name);
    const ref = object?.spec?.scaleTargetRef as TargetRef | undefined;
    return object === undefined || ref === undefined ? undefined : { object, namespace, ...ref };
  };

  return {
    version: () =>
      [...members.values()].reduce(
        (sum, { store }) => sum + store.resourceVersion,
        hub.store.resourceVersion,
      ),
    keys: () => hub.store.list(FHPAS).map(keyTextOf),
    placed(key) {
      const found = targetOf(key);
      if (found === undefined) return undefined;
      const { minReplicas = 1, maxReplicas = 0 } = found.object.spec as unknown as Bounds;
      return {
        clusters: byCluster(view.wanted(found)),
        readyIn: byCluster(view.ready(found)),
        minReplicas,
        maxReplicas,
        target: `${found.kind}/${found.name}`,
      };
    },
    clusters: () =>
      hub.store.list(KINDS.clusters).map((cluster) => ({
        name: cluster.metadata.name ?? "",
        isReady: isClusterReady(cluster),
        isCutOff: isCutOff(cluster),
      })),
    loadOn(key) {
      const found = targetOf(key);
      return found && loads.get(refKey(found.apiVersion, found.kind, found.namespace, found.name));
    },
  };
}

interface TargetRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

interface Bounds {
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

/** What a Load asks for at an instant: cores, bytes, and other metrics in their unit. */
export function demandAt(load: KubeObject | undefined, nowMs: number): readonly Amount[] {
  if (load === undefined) return [];
  const { cpu, memory, sinceMs } = loadOf(load);
  const spec = load.spec as unknown as LoadSpec;
  const { pods, objects, external } = loadMetricsOf(load);
  const at = ({ shape }: Demand) => demandMilli(shape, (nowMs - sinceMs) / 1000) / 1000;
  const others = [...pods, ...objects, ...external].map(({ name, demand }) => ({
    name,
    unit: "" as const,
    value: at(demand),
  }));
  return [
    ...(spec.cpu === undefined ? [] : [{ name: "cpu", unit: "cores" as const, value: at(cpu) }]),
    ...(spec.memory === undefined ? [] : [{ name: "memory", unit: "bytes" as const, value: at(memory) }]),
    ...others,
  ];
}
