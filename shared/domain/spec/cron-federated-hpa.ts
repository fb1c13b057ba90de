import type { FieldFault } from "./field-fault.ts";

/** A CronFederatedHPA as the cron decision sees it, limits filled in. */
export interface CronFederatedHpa {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Epoch milliseconds, whole seconds; 0 where the object does not say. */
  readonly createdMs: number;
  /** When its spec was last written, as far as managedFields tell; whole seconds. */
  readonly specWrittenMs?: number;
  readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly rules: readonly CronRule[];
  /** Of the status, in its order. */
  readonly executionHistories: readonly ExecutionHistory[];
  /** What of it does not fit the type; with faults here the rest is only what could be made of it. */
  readonly invalid: readonly FieldFault[];
}

export interface CronRule {
  readonly name: string;
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspend: boolean;
  readonly targetReplicas?: number;
  readonly targetMinReplicas?: number;
  readonly targetMaxReplicas?: number;
  readonly successfulHistoryLimit: number;
  readonly failedHistoryLimit: number;
}

/** What the status says of one rule; instants are epoch milliseconds, executions newest first. */
export interface ExecutionHistory {
  readonly ruleName: string;
  /** Absent while the rule is suspended or cannot run. */
  readonly nextExecutionMs?: number;
  readonly successfulExecutions: readonly SuccessfulExecution[];
  readonly failedExecutions: readonly FailedExecution[];
}

export interface SuccessfulExecution {
  /** The rule's instant. */
  readonly scheduleMs: number;
  /** When it was done. */
  readonly executionMs: number;
  readonly appliedReplicas?: number;
  readonly appliedMinReplicas?: number;
  readonly appliedMaxReplicas?: number;
}

export interface FailedExecution {
  readonly scheduleMs: number;
  readonly executionMs: number;
  readonly message: string;
}
