import { expect } from "vitest";
import { isPortFault, type PortFaultKind } from "#ports/fault";
import type { KubernetesPort, ResourceRef, Server } from "#ports/kubernetes";
import type { MetricsApiPort } from "#ports/metrics-api";
import type { ContractFleet, World } from "#test/contract/kubernetes-fleet";

/** What is looked at and the port that is examined on it, both fresh for each test. */
export interface HubExam {
  readonly world: World;
  readonly port: KubernetesPort;
}

/** With members behind the hub. */
export interface Exam extends HubExam {
  readonly world: ContractFleet;
  readonly port: KubernetesPort & MetricsApiPort;
}

/** What a server may be without, though it is one. */
export interface Served {
  /** Karmada's resources. */
  readonly karmada: boolean;
  /** A member that is called member1, to be asked through the hub. */
  readonly members: boolean;
  /** Versions can be made to be forgotten. */
  readonly compacts: boolean;
}
export const EVERYTHING: Served = { karmada: true, members: true, compacts: true };

export const deployments: ResourceRef = { group: "apps", version: "v1", resource: "deployments" };
export const statefulSets: ResourceRef = { group: "apps", version: "v1", resource: "statefulsets" };
export const configMaps: ResourceRef = { group: "", version: "v1", resource: "configmaps" };
export const namespaces: ResourceRef = { group: "", version: "v1", resource: "namespaces" };
export const pods: ResourceRef = { group: "", version: "v1", resource: "pods" };
export const events: ResourceRef = { group: "", version: "v1", resource: "events" };
export const clusters: ResourceRef = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
};
export const fhpas: ResourceRef = {
  group: "autoscaling.karmada.io",
  version: "v1alpha1",
  resource: "federatedhpas",
};
export const bindings: ResourceRef = {
  group: "work.karmada.io",
  version: "v1alpha2",
  resource: "resourcebindings",
};
export const podMetrics: ResourceRef = { group: "metrics.k8s.io", version: "v1beta1", resource: "pods" };
export const unknownKind: ResourceRef = { group: "example.io", version: "v1", resource: "sprockets" };

export const web = { namespace: "shop", name: "web" };
export const member1: Server = { member: "member1" };
export const member2: Server = { member: "member2" };
export const by = { fieldManager: "contract" };

/** Holds a call to one kind of fault. */
export async function rejects(attempt: Promise<unknown>, kind: PortFaultKind): Promise<void> {
  const outcome = await attempt.then(
    () => "succeeded",
    (error: unknown) => (isPortFault(error) ? error.kind : error),
  );
  expect(outcome).toBe(kind);
}
