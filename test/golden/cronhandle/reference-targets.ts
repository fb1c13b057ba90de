import type { CronRuleObject } from "#domain/spec/cron-federated-hpa-object";
import type { CronAnswer, CronSpec, CronStep, TargetObject } from "#test/golden/cronhandle/input";

/** What a run comes to; `panicked` is a nil dereference after which Karmada still records a success. */
export type TargetResult = "done" | "failed" | "conflict" | "panicked";

const KARMADA_AUTOSCALING = "autoscaling.karmada.io/v1alpha1";
/** client-go's RetryOnConflict(DefaultRetry) */
const TRIES = 5;

/** The Deployments and FederatedHPAs of a vector, with the faults of a step. */
export class ReferenceTargets {
  readonly #deployments = new Map<string, number>();
  readonly #federatedHpas = new Map<string, { minReplicas?: number; maxReplicas: number }>();
  /** Whether a nil target is a failure and a nil min is set (D-25), where Karmada panics. */
  readonly #survives: boolean;
  #conflicts = 0;
  #refused = false;

  constructor(objects: readonly TargetObject[], survives: boolean) {
    this.#survives = survives;
    for (const object of objects) this.create(object);
  }

  suffer(step: Partial<CronStep>): void {
    this.#conflicts = step.conflictsOnFederatedHPAUpdate ?? 0;
    this.#refused = step.scaleUpdateError !== undefined;
  }

  create({ kind, metadata, spec }: TargetObject): void {
    if (kind === "Deployment") this.#deployments.set(metadata.name, spec.replicas ?? 0);
    else this.#federatedHpas.set(metadata.name, { maxReplicas: 0, ...spec });
  }

  setReplicas(replicas: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(replicas)) this.#deployments.set(name, count);
  }

  /** All rules set what they want, the later one wins, in one update. */
  run(target: CronSpec["scaleTargetRef"], rules: readonly CronRuleObject[]): TargetResult {
    if (target.apiVersion !== KARMADA_AUTOSCALING) return this.#scale(target.name, rules);
    return target.kind === "FederatedHPA" ? this.#bound(target.name, rules) : "failed";
  }

  answer(): Pick<CronAnswer, "deployments" | "federatedHpas"> {
    return {
      deployments: Object.fromEntries(this.#deployments),
      federatedHpas: Object.fromEntries([...this.#federatedHpas].map(([name, spec]) => [name, { ...spec }])),
    };
  }

  #scale(name: string, rules: readonly CronRuleObject[]): TargetResult {
    const replicas = this.#deployments.get(name);
    if (replicas === undefined) return "failed";
    const wanted = rules.findLast(({ targetReplicas }) => targetReplicas !== undefined)?.targetReplicas;
    if (wanted === undefined) return this.#survives ? "failed" : "panicked";
    if (wanted === replicas) return "done";
    if (this.#refused) return "failed";
    this.#deployments.set(name, wanted);
    return "done";
  }

  #bound(name: string, rules: readonly CronRuleObject[]): TargetResult {
    const spec = this.#federatedHpas.get(name);
    if (spec === undefined) return "failed";
    const wanted = { ...spec };
    for (const { targetMinReplicas, targetMaxReplicas } of rules) {
      if (targetMinReplicas !== undefined) {
        if (spec.minReplicas === undefined && !this.#survives) return "panicked";
        wanted.minReplicas = targetMinReplicas;
      }
      if (targetMaxReplicas !== undefined) wanted.maxReplicas = targetMaxReplicas;
    }
    if (wanted.minReplicas === spec.minReplicas && wanted.maxReplicas === spec.maxReplicas) return "done";
    const conflicts = Math.min(this.#conflicts, TRIES);
    this.#conflicts -= conflicts;
    if (conflicts === TRIES) return "conflict";
    this.#federatedHpas.set(name, wanted);
    return "done";
  }
}
