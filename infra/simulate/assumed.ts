import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { countText } from "#domain/units/count-text";
import type { JsonObject, KubeObject } from "#sim/api/object";
import type { TargetRef } from "./target.ts";

/** A manifest that nobody gave, and what is in it. */
export interface Assumed {
  readonly manifest: KubeObject;
  readonly note: string;
}

const WORKLOADS: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  StatefulSet: "apps/v1",
  CloneSet: "apps.kruise.io/v1alpha1",
};
const REQUESTS = { cpu: "100m", memory: "128Mi" };

/** Whether a plain object of this kind tells the simulator all that it needs. */
export function isAssumable({ apiVersion, kind }: TargetRef): boolean {
  return WORKLOADS[kind] === apiVersion || (kind === "Service" && apiVersion === "v1");
}

export function assumedWorkload(ref: TargetRef, object: FederatedHpa): Assumed {
  const { apiVersion, kind, namespace, name } = ref;
  const head = { apiVersion, kind, metadata: { name, namespace, labels: { app: name } } };
  if (kind === "Service") {
    return { manifest: { ...head, spec: { selector: { app: name }, ports: [{ port: 80 }] } }, note: "one" };
  }
  const replicas = Math.max(1, object.spec.minReplicas);
  const metric = object.spec.metrics.find(({ type }) => type === "ContainerResource");
  const container = metric?.type === "ContainerResource" ? metric.container : "app";
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: container, image: "app:1", resources: { requests: REQUESTS } }] },
  };
  const service = kind === "StatefulSet" ? { serviceName: name } : {};
  const spec: JsonObject = { replicas, selector: { matchLabels: { app: name } }, template, ...service };
  const { cpu, memory } = REQUESTS;
  return {
    manifest: { ...head, spec },
    note: `one of ${countText(replicas, "replica")} that ask for ${cpu} CPU and ${memory} memory, without limits,`,
  };
}

/** Spreads an object in equal parts. */
export function assumedPolicy(
  { apiVersion, kind, namespace, name }: TargetRef,
  clusters: readonly string[],
): KubeObject {
  const staticWeightList = clusters.map((cluster) => ({
    targetCluster: { clusterNames: [cluster] },
    weight: 1,
  }));
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: `simulated-${name}-${kind}`.toLowerCase(), namespace },
    spec: {
      resourceSelectors: [{ apiVersion, kind, name }],
      placement: {
        clusterAffinity: { clusterNames: clusters },
        replicaScheduling: {
          replicaSchedulingType: "Divided",
          replicaDivisionPreference: "Weighted",
          weightPreference: { staticWeightList },
        },
      },
    },
  };
}
