import type { CronRuleObject } from "#domain/spec/cron-federated-hpa-object";
import { formatInstant } from "#domain/units/instant";

/** One trajectory of the CronFederatedHPA controller (vectors/README, cronhandle.jsonl). */
export interface CronHandleInput {
  readonly start: string;
  readonly cronFederatedHPA: object;
  readonly objects: readonly TargetObject[];
  readonly steps: readonly CronStep[];
}

export interface CronStep {
  readonly advanceSeconds: number;
  readonly apply?: { readonly spec: CronSpec };
  readonly create?: TargetObject;
  readonly set?: { readonly deployments?: Readonly<Record<string, number>> };
  readonly delete?: boolean;
  /** The spec applies before the time passes, and its rule runs once at this instant. */
  readonly runAt?: string;
  readonly conflictsOnFederatedHPAUpdate?: number;
  readonly statusUpdateError?: string;
  readonly scaleUpdateError?: string;
}

export interface CronSpec {
  readonly rules: readonly CronRuleObject[];
  readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

export interface TargetObject {
  readonly kind: "Deployment" | "FederatedHPA";
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas?: number; readonly minReplicas?: number; readonly maxReplicas?: number };
}

/** What a step shows, in the form in which it is compared: texts of failures are wordings. */
export interface CronAnswer {
  readonly deployments: Readonly<Record<string, number>>;
  readonly federatedHpas: Readonly<Record<string, { minReplicas?: number; maxReplicas: number }>>;
  readonly histories: readonly HistoryAnswer[];
  /** `type/reason`, in the order of their emission. */
  readonly events: readonly string[];
}

export interface HistoryAnswer {
  readonly ruleName: string;
  readonly next: string | undefined;
  readonly succeeded: readonly ExecutionAnswer[];
  readonly failed: readonly ExecutionAnswer[];
}

export interface ExecutionAnswer {
  readonly scheduleTime: string;
  readonly executionTime: string;
  readonly appliedReplicas?: number;
  readonly appliedMinReplicas?: number;
  readonly appliedMaxReplicas?: number;
}

export function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatInstant(ms);
}
