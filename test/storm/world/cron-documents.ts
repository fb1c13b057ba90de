import type { Dice } from "#test/storm/chance";
import { dice } from "#test/storm/chance";
import { NAMESPACE, objectName } from "./documents.ts";

/** A schedule whose instants are told without asking the code under test: minute `at` of every `every`. */
export interface Schedule {
  readonly text: string;
  readonly every: number;
  readonly at: number;
}

export const SCHEDULES: readonly Schedule[] = [
  { text: "* * * * *", every: 1, at: 0 },
  { text: "*/2 * * * *", every: 2, at: 0 },
  { text: "1-59/2 * * * *", every: 2, at: 1 },
  { text: "*/3 * * * *", every: 3, at: 0 },
  { text: "2/3 * * * *", every: 3, at: 2 },
  { text: "4,9,14,19,24,29,34,39,44,49,54,59 * * * *", every: 5, at: 4 },
];

/** Beyond the schedules that can run: one that never starts, which must not stop the others. */
const FAULTY = "0 0 * * 7";

/** A rule as it stands in a spec. */
export interface RuleDocument {
  readonly name: string;
  readonly schedule: string;
  readonly suspend?: boolean;
  readonly targetReplicas?: number;
  readonly targetMinReplicas?: number;
  readonly targetMaxReplicas?: number;
  readonly successfulHistoryLimit?: number;
  readonly failedHistoryLimit?: number;
}

export function cronName(index: number): string {
  return `cron-${index}`;
}

/** The workload that a cron scales without a FederatedHPA. */
export function jobName(index: number): string {
  return `job-${index}`;
}

/** One for three objects. */
export function cronCount(objects: number): number {
  return Math.ceil(objects / 3);
}

/** Half of them set a FederatedHPA's bounds, the others a workload's replicas; some name what is not there. */
export function cronDocumentsOf(index: number, seed: string, objects: number): readonly object[] {
  const chance = dice(`${seed}/cron/${index}`);
  const isBounds = chance.happens(0.5);
  const isMissing = chance.happens(0.1);
  const target = isBounds ? objectName((index * 3) % objects) : jobName(index);
  const deadline = chance.pick([undefined, undefined, "1m", "2m", "5m"]);
  const metadata = { name: cronName(index), namespace: NAMESPACE };
  const cron = {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "CronFederatedHPA",
    metadata:
      deadline === undefined
        ? metadata
        : { ...metadata, annotations: { "mainsheet.io/cron-deadline": deadline } },
    spec: {
      scaleTargetRef: {
        apiVersion: isBounds ? "autoscaling.karmada.io/v1alpha1" : "apps/v1",
        kind: isBounds ? "FederatedHPA" : "Deployment",
        name: isMissing ? "nobody" : target,
      },
      rules: rulesBy(chance),
    },
  };
  return isBounds ? [cron] : [jobDocument(index, chance.whole(0, 5)), cron];
}

function jobDocument(index: number, replicas: number) {
  const labels = { app: jobName(index) };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: jobName(index), namespace: NAMESPACE, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "job", image: "job:1" }] } },
    },
  };
}

/** One to three rules, each with all that either kind of target asks for, so that they may be taken over by the other. */
export function rulesBy(chance: Dice): readonly RuleDocument[] {
  return ["a", "b", "c"].slice(0, chance.whole(1, 3)).map((name) => {
    const min = chance.whole(1, 5);
    return {
      name,
      schedule: chance.happens(0.05) ? FAULTY : chance.pick(SCHEDULES).text,
      ...(chance.happens(0.1) ? { suspend: true } : {}),
      targetReplicas: chance.whole(0, 9),
      ...(chance.happens(0.8) ? { targetMinReplicas: min } : {}),
      targetMaxReplicas: min + chance.whole(-1, 8) || 1,
      ...(chance.happens(0.3) ? { successfulHistoryLimit: chance.pick([1, 5, 32]) } : {}),
      ...(chance.happens(0.2) ? { failedHistoryLimit: 1 } : {}),
    };
  });
}
