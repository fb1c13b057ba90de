import { objectReference } from "./federated-hpa-object.ts";
import { objectMeta } from "./object-meta.ts";
import {
  always,
  bool,
  type Decoded,
  decodeAs,
  int32,
  list,
  type Of,
  pointer,
  struct,
  text,
  time,
  unlessZero,
} from "./shape.ts";

/** The JSON of a CronFederatedHPA (`autoscaling.karmada.io/v1alpha1`). */
const rule = struct("CronFederatedHPARule", {
  name: always(text),
  schedule: always(text),
  targetReplicas: pointer(int32),
  targetMinReplicas: pointer(int32),
  targetMaxReplicas: pointer(int32),
  suspend: pointer(bool),
  timeZone: pointer(text),
  successfulHistoryLimit: pointer(int32),
  failedHistoryLimit: pointer(int32),
});
export type CronRuleObject = Of<typeof rule>;

const cronSpec = struct("CronFederatedHPASpec", {
  scaleTargetRef: always(objectReference),
  rules: always(list(rule, "v1alpha1.CronFederatedHPARule")),
});
export type CronFederatedHpaSpecObject = Of<typeof cronSpec>;

const successfulExecution = struct("SuccessfulExecution", {
  scheduleTime: pointer(time),
  executionTime: pointer(time),
  appliedReplicas: pointer(int32),
  appliedMaxReplicas: pointer(int32),
  appliedMinReplicas: pointer(int32),
});
const failedExecution = struct("FailedExecution", {
  scheduleTime: pointer(time),
  executionTime: pointer(time),
  message: always(text),
});
const executionHistory = struct("ExecutionHistory", {
  ruleName: always(text),
  nextExecutionTime: pointer(time),
  successfulExecutions: unlessZero(list(successfulExecution, "v1alpha1.SuccessfulExecution")),
  failedExecutions: unlessZero(list(failedExecution, "v1alpha1.FailedExecution")),
});

const cronFederatedHpa = struct("CronFederatedHPA", {
  kind: unlessZero(text),
  apiVersion: unlessZero(text),
  metadata: always(objectMeta),
  spec: always(cronSpec),
  status: always(
    struct("CronFederatedHPAStatus", {
      executionHistories: unlessZero(list(executionHistory, "v1alpha1.ExecutionHistory")),
    }),
  ),
});
export type CronFederatedHpaObject = Of<typeof cronFederatedHpa>;

/** The object as Karmada's types hold it, and what of it does not fit these types. */
export function decodeCronFederatedHpaObject(value: unknown): Decoded<CronFederatedHpaObject> {
  return decodeAs(cronFederatedHpa, value, "CronFederatedHPA");
}
