import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { formatInstant } from "#domain/units/instant";
import type { AwsHost } from "#infra/local/aws-host";
import type { BusPort } from "#ports/bus";
import type { Fleet } from "#sim/fleet";
import { parseScenario, type Scenario } from "#sim/scenario/scenario";

export const NAMESPACES = 2;
const CLUSTERS = 2;
/** What one pod of a cluster is meant to bear. */
const PER_POD = 10;

export const namespaceOf = (i: number): string => `team-${i % NAMESPACES}`;
export const nameOf = (i: number): string => `web-${i}`;

/**
 * Deployments in two clusters, each with a pod for every ten of its own external metric, up and down at once: what the
 * metric is when an event comes, decides.
 */
export function eventScenario(objects: number, startMs: number): Scenario {
  const metric = { name: "depth-$(i)" };
  const external = [{ metric, target: { type: "AverageValue", averageValue: String(PER_POD) } }];
  const parsed = parseScenario([
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "bench-events" },
      spec: {
        start: formatInstant(startMs),
        clusters: [{ name: "member1" }, { name: "member2" }],
        pods: { startSeconds: 0, readySeconds: 0, stopSeconds: 0 },
        copies: { count: objects, namespaces: NAMESPACES },
      },
    },
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { name: "everywhere", namespace: "$(ns)" },
      spec: {
        resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
        placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } },
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web-$(i)", namespace: "$(ns)", labels: { app: "web-$(i)" } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web-$(i)" } },
        template: {
          metadata: { labels: { app: "web-$(i)" } },
          spec: { containers: [{ name: "web", image: "web:1" }] },
        },
      },
    },
    {
      apiVersion: "autoscaling.karmada.io/v1alpha1",
      kind: "FederatedHPA",
      metadata: {
        name: "web-$(i)",
        namespace: "$(ns)",
        annotations: { "mainsheet.io/external-metrics": JSON.stringify(external) },
      },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web-$(i)" },
        minReplicas: 1,
        maxReplicas: 9,
        behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
      },
    },
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Load",
      metadata: { name: "web-$(i)", namespace: "$(ns)" },
      spec: {
        target: { kind: "Deployment", name: "web-$(i)" },
        externalMetrics: [{ ...metric, constant: String(depthFor(2)) }],
      },
    },
  ]);
  if (!parsed.ok) throw new Error(parsed.faults.join("\n"));
  return parsed.value;
}

const depthFor = (replicas: number): number => replicas * CLUSTERS * PER_POD;

/** Sets an object's metric to what so many replicas are right for. */
export function setLoad({ hub }: Fleet, i: number, replicas: number, nowMs: number): void {
  const type = hub.catalogue.findKind("mainsheet.io/v1alpha1", "Load");
  if (type === undefined) throw new Error("the hub serves no Load");
  const externalMetrics = [{ name: `depth-${i}`, constant: String(depthFor(replicas)) }];
  const body = { spec: { externalMetrics } };
  const key = { namespace: namespaceOf(i), name: nameOf(i) };
  const set = hub.patch(type, key, { type: "merge", body }, { nowMs });
  if (!set.ok) throw new Error(set.status.message);
}

/** Tells of every change of a Deployment's replicas on the hub, at the moment it is stored. */
export function onScale({ hub }: Fleet, tell: (object: string, replicas: number) => void): () => void {
  return hub.store.subscribe(({ resource, object, previous }) => {
    if (resource !== "deployments" || object.spec?.replicas === previous?.spec?.replicas) return;
    tell(`${object.metadata.namespace}/${object.metadata.name}`, Number(object.spec?.replicas));
  });
}

/** The bus `mainsheet` of the host, as any client outside of it has it. */
export function busOf({ aws }: { readonly aws: AwsHost }): { readonly bus: BusPort; close(): void } {
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  const client = eventBridgeClient({ endpoint: aws.endpoint, region: "us-east-1", credentials });
  return { bus: eventBridgeBus("mainsheet", client), close: () => client.destroy() };
}
