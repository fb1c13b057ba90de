import type { CronRule } from "#domain/spec/cron-federated-hpa";
import { hash64 } from "#domain/units/hash";

/** 64 bits over what decides when a rule runs and what it does; history limits are no part of it. */
export function ruleHash(rule: CronRule): string {
  const { schedule, timeZone = "", suspend, targetReplicas, targetMinReplicas, targetMaxReplicas } = rule;
  const targets = [targetReplicas, targetMinReplicas, targetMaxReplicas].map((count) => count ?? null);
  return hash64(JSON.stringify([schedule, timeZone, suspend, ...targets]));
}
