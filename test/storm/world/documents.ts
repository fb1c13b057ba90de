import { formatInstant } from "#domain/units/instant";
import { type Dice, dice } from "#test/storm/chance";
import { type Plan, START_MS } from "#test/storm/plan";
import { cronCount, cronDocumentsOf } from "./cron-documents.ts";

export const NAMESPACE = "storm";
export const REQUEST_MILLI = 100;
/** What some objects wait for. */
export const ALARM = "queue-deep";
const LONGEST_WARM_UP_SECONDS = 600;

export function objectName(index: number): string {
  return `web-${index}`;
}

export function clusterNames(seed: string): readonly string[] {
  const count = dice(`${seed}/clusters`).whole(2, 3);
  return Array.from({ length: count }, (_, i) => `member${i + 1}`);
}

/**
 * The scenario of a plan: Deployments, each with its policy, its FederatedHPA and a load that goes up and down enough
 * to scale every minute or so. Object i is the same however many there are.
 */
export function documentsOf({ seed, minutes, objects }: Plan): readonly object[] {
  const clusters = clusterNames(seed);
  const chance = dice(`${seed}/fleet`);
  return [
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Scenario",
      metadata: { name: "storm" },
      spec: {
        seed,
        start: formatInstant(START_MS),
        warmUpSeconds: chance.pick([60, 200, LONGEST_WARM_UP_SECONDS]),
        clusters: clusters.map((name) => ({ name })),
        pods: { startSeconds: 1, readySeconds: 2, jitterSeconds: chance.whole(0, 8), stopSeconds: 1 },
        readiness: { failureSeconds: 20, successSeconds: 10 },
        applyDelaySeconds: chance.pick([0, 0, 1, 4]),
      },
    },
    ...Array.from({ length: objects }, (_, i) => documentsOfObject(i, seed, clusters, minutes)).flat(),
    ...Array.from({ length: cronCount(objects) }, (_, i) => cronDocumentsOf(i, seed, objects)).flat(),
  ];
}

function documentsOfObject(
  index: number,
  seed: string,
  clusters: readonly string[],
  minutes: number,
): readonly object[] {
  const chance = dice(`${seed}/object/${index}`);
  const name = objectName(index);
  const metadata = { name, namespace: NAMESPACE };
  const labels = { app: name };
  const minReplicas = chance.whole(1, 3);
  const maxReplicas = minReplicas + chance.whole(2, 9);
  const requests = { cpu: `${REQUEST_MILLI}m`, memory: "64Mi" };
  const container = { name: "web", image: "web:1", resources: { requests } };
  return [
    policyDocument(
      name,
      clusters.map(() => chance.whole(1, 3)),
      clusters,
      chance.happens(0.2),
    ),
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...metadata, labels },
      spec: {
        replicas: chance.whole(minReplicas, maxReplicas),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    fhpaDocument(name, name, {
      minReplicas,
      maxReplicas,
      percent: chance.pick([50, 60, 80]),
      behavior: behaviorBy(chance),
      annotations: annotationsBy(chance),
    }),
    {
      apiVersion: "mainsheet.io/v1alpha1",
      kind: "Load",
      metadata,
      spec: {
        target: { kind: "Deployment", name },
        noisePercent: chance.pick([0, 5, 25]),
        cpu: { steps: stepsBy(chance, maxReplicas, minutes) },
      },
    },
  ];
}

export interface FhpaTerms {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly percent: number;
  readonly behavior: object | null;
  readonly annotations: Readonly<Record<string, string>>;
}

export function fhpaDocument(name: string, target: string, terms: FhpaTerms) {
  const { minReplicas, maxReplicas, percent, behavior, annotations } = terms;
  const goal = { type: "Utilization", averageUtilization: percent };
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "FederatedHPA",
    metadata: { name, namespace: NAMESPACE, annotations },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target },
      minReplicas,
      maxReplicas,
      ...(behavior === null ? {} : { behavior }),
      metrics: [{ type: "Resource", resource: { name: "cpu", target: goal } }],
    },
  };
}

export function policyDocument(
  name: string,
  weights: readonly number[],
  clusters: readonly string[],
  duplicated: boolean,
) {
  const staticWeightList = clusters.map((cluster, i) => ({
    targetCluster: { clusterNames: [cluster] },
    weight: weights[i] ?? 1,
  }));
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name }],
      placement: {
        clusterAffinity: { clusterNames: clusters },
        replicaScheduling: duplicated
          ? { replicaSchedulingType: "Duplicated" }
          : {
              replicaSchedulingType: "Divided",
              replicaDivisionPreference: "Weighted",
              weightPreference: { staticWeightList },
            },
      },
    },
  };
}

/** Windows and policies short enough to matter within minutes; null for none. */
export function behaviorBy(chance: Dice): object | null {
  if (chance.happens(0.2)) return null;
  const rules = () => ({
    stabilizationWindowSeconds: chance.pick([0, 0, 15, 30, 60, 90, 300]),
    selectPolicy: chance.pick(["Max", "Max", "Min"]),
    policies: [
      { type: "Pods", value: chance.whole(1, 4), periodSeconds: chance.pick([15, 30, 60, 120, 600]) },
      { type: "Percent", value: chance.pick([20, 50, 100]), periodSeconds: chance.pick([15, 60, 180]) },
    ].slice(chance.whole(0, 1)),
  });
  return { scaleUp: rules(), scaleDown: rules() };
}

function annotationsBy(chance: Dice): Readonly<Record<string, string>> {
  return {
    ...(chance.happens(0.1) ? { "mainsheet.io/mode": "observe" } : {}),
    ...(chance.happens(0.2) ? { "mainsheet.io/lost-cluster-hold": chance.pick(["45s", "2m", "10m"]) } : {}),
    ...(chance.happens(0.1) ? { "mainsheet.io/lost-cluster": "assume-equal" } : {}),
    ...(chance.happens(0.3) ? { "mainsheet.io/alarms": ALARM } : {}),
    ...(chance.happens(0.2) ? { "mainsheet.io/min-interval": chance.pick(["1s", "10s"]) } : {}),
  };
}

/** Demand in cores, for some seconds each; it ends before the storm does, so that windows run out in the calm. */
function stepsBy(chance: Dice, maxReplicas: number, minutes: number): readonly object[] {
  const steps = [{ afterSeconds: 0, demand: "100m" }];
  for (
    let after = chance.whole(0, 60);
    after < minutes * 60 + 240;
    after += chance.pick([15, 30, 45, 60, 120, 240])
  ) {
    const pods = chance.next() * (maxReplicas + 3);
    steps.push({ afterSeconds: after, demand: `${Math.round(pods * 0.6 * REQUEST_MILLI)}m` });
  }
  return steps;
}
