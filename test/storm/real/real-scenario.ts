import { dice } from "#test/storm/chance";
import { documentsOf, NAMESPACE, objectName } from "#test/storm/world/documents";

export interface RealScenario {
  readonly documents: readonly object[];
  /** Every FederatedHPA's target, by name, with the replicas that it begins with. */
  readonly targets: ReadonlyMap<string, number>;
  readonly cron: string;
}

interface Document {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number };
}

const CRON = "every-minute";
const JOB = "job";

/**
 * The storm's Deployments, FederatedHPAs and loads over so many minutes, all of them `active`, and one CronFederatedHPA
 * that sets a workload of its own every minute. Nobody but Mainsheet writes any replicas.
 */
export function realScenario(seed: string, minutes: number, objects: number): RealScenario {
  const plan = { seed, minutes, objects, faults: [] };
  const documents = (documentsOf(plan) as readonly Document[])
    .filter(({ kind, metadata }) => kind !== "CronFederatedHPA" && !metadata.name.startsWith("job-"))
    .map((document) => (document.kind === "FederatedHPA" ? withoutAnnotations(document) : document));
  const deployments = documents.filter(({ kind }) => kind === "Deployment");
  const first = deployments[0] as Document;
  const job = {
    ...first,
    metadata: { name: JOB, namespace: NAMESPACE },
    spec: { ...first.spec, replicas: 1 },
  };
  const chance = dice(`${seed}/real`);
  const rule = (name: string, schedule: string) => ({ name, schedule, targetReplicas: chance.whole(1, 9) });
  const cron = {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "CronFederatedHPA",
    metadata: { name: CRON, namespace: NAMESPACE },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: JOB },
      rules: [rule("even", "*/2 * * * *"), rule("odd", "1-59/2 * * * *")],
    },
  };
  const targets = new Map(
    Array.from({ length: objects }, (_, i) => {
      const found = deployments.find(({ metadata }) => metadata.name === objectName(i));
      return [objectName(i), found?.spec?.replicas ?? 0] as const;
    }),
  );
  return { documents: [...documents, job, cron], targets, cron: CRON };
}

/** Each is `active`, and holds a scale-in as long as the default says. */
function withoutAnnotations(document: Document): Document {
  const { annotations: _none, ...metadata } = document.metadata as Document["metadata"] & {
    annotations?: unknown;
  };
  return { ...document, metadata };
}
