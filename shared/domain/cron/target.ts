import type { CronRule } from "#domain/spec/cron-federated-hpa";

/** What a CronFederatedHPA scales, as it is at this moment. */
export type CronTarget = ScaleTarget | BoundsTarget;

/** A workload with a `scale`. */
export interface ScaleTarget extends TargetIdentity {
  readonly kind: "scale";
  /** 0 where the field is absent (B61). */
  readonly replicas: number;
}

/** A FederatedHPA, whose bounds are set. */
export interface BoundsTarget extends TargetIdentity {
  readonly kind: "bounds";
  /** Absent on objects from before the defaulting webhook (B62); it means 1. */
  readonly minReplicas?: number;
  readonly maxReplicas: number;
}

interface TargetIdentity {
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
}

/** What is to be set; each member only where it is. */
export interface TargetWrite {
  readonly replicas?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

/** What a rule sets on a target of this kind; members that belong to the other kind do not count. */
export function writeOf(rule: CronRule, kind: CronTarget["kind"]): TargetWrite {
  const { targetReplicas, targetMinReplicas, targetMaxReplicas } = rule;
  if (kind === "scale") return targetReplicas === undefined ? {} : { replicas: targetReplicas };
  return {
    ...(targetMinReplicas === undefined ? {} : { minReplicas: targetMinReplicas }),
    ...(targetMaxReplicas === undefined ? {} : { maxReplicas: targetMaxReplicas }),
  };
}

/** The part of a write that changes the target; empty where it has all of it. */
export function changeOf(target: CronTarget, write: TargetWrite): TargetWrite {
  const now: TargetWrite = target;
  const changed = Object.entries(write).filter(([field, value]) => now[field as keyof TargetWrite] !== value);
  return Object.fromEntries(changed);
}

/** Why a write would leave a FederatedHPA with its min above its max (B40); undefined where it would not. */
export function crossedBounds(target: CronTarget, write: TargetWrite): string | undefined {
  if (target.kind === "scale" || Object.keys(write).length === 0) return undefined;
  const min = write.minReplicas ?? target.minReplicas ?? 1;
  const max = write.maxReplicas ?? target.maxReplicas;
  return min > max ? `minReplicas ${min} would be above maxReplicas ${max}` : undefined;
}

/** What keeps a rule from setting anything, since no webhook has looked at it; undefined where nothing does. */
export function targetFault(rule: CronRule, kind: CronTarget["kind"]): string | undefined {
  const values = Object.values(writeOf(rule, kind));
  const [least, fields] =
    kind === "scale" ? [0, "targetReplicas"] : [1, "targetMinReplicas or targetMaxReplicas"];
  if (values.length > 0 && values.every((value) => value >= least)) return undefined;
  return `rule ${rule.name} has no ${fields} of ${least} or more; set it`;
}

/** `replicas 5 → 1000`, `minReplicas 1 → 5, maxReplicas 10 → 20`; `unset` where there was none. */
export function changeText(target: CronTarget, write: TargetWrite): string {
  const before: TargetWrite = target;
  return Object.entries(write)
    .map(([field, value]) => `${field} ${before[field as keyof TargetWrite] ?? "unset"} → ${value}`)
    .join(", ");
}

/** `replicas 5`, `minReplicas 1, maxReplicas 10`. */
export function valuesText(target: CronTarget): string {
  if (target.kind === "scale") return `replicas ${target.replicas}`;
  const { minReplicas, maxReplicas } = target;
  return `minReplicas ${minReplicas ?? "unset"}, maxReplicas ${maxReplicas}`;
}
