import type {
  CronFederatedHpa,
  CronRule,
  ExecutionHistory,
  FailedExecution,
  SuccessfulExecution,
} from "#domain/spec/cron-federated-hpa";
import {
  type CronFederatedHpaObject,
  type CronRuleObject,
  decodeCronFederatedHpaObject,
} from "#domain/spec/cron-federated-hpa-object";
import { formatInstant, parseInstant } from "#domain/units/instant";
import { sameJson } from "./json.ts";
import { decodeReference } from "./metric-spec.ts";

/** Of the CRD: what the API server fills in where a rule says nothing. */
const HISTORY_LIMIT = 3;

type HistoryObject = NonNullable<CronFederatedHpaObject["status"]["executionHistories"]>[number];
type SuccessObject = NonNullable<HistoryObject["successfulExecutions"]>[number];
type FailureObject = NonNullable<HistoryObject["failedExecutions"]>[number];

/** The CronFederatedHPA of an object of the API. Never throws: what does not fit its type is in `invalid`. */
export function decodeCronFederatedHpa(raw: unknown): CronFederatedHpa {
  const { value: object, faults } = decodeCronFederatedHpaObject(raw);
  const { metadata, spec, status } = object;
  const specWrittenMs = lastSpecWrite(metadata);
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? "",
    annotations: metadata.annotations ?? {},
    createdMs: instantOf(metadata.creationTimestamp) ?? 0,
    ...(specWrittenMs === undefined ? {} : { specWrittenMs }),
    scaleTargetRef: decodeReference(spec.scaleTargetRef),
    rules: spec.rules.map(decodeRule),
    executionHistories: (status.executionHistories ?? []).map(decodeHistory),
    invalid: faults.filter(({ path }) => !path.startsWith("status")),
  };
}

function decodeRule({
  suspend,
  successfulHistoryLimit,
  failedHistoryLimit,
  ...rule
}: CronRuleObject): CronRule {
  return {
    ...rule,
    suspend: suspend ?? false,
    successfulHistoryLimit: successfulHistoryLimit ?? HISTORY_LIMIT,
    failedHistoryLimit: failedHistoryLimit ?? HISTORY_LIMIT,
  };
}

/** The latest write by anyone who owns a part of the spec. */
function lastSpecWrite({ managedFields = [] }: CronFederatedHpaObject["metadata"]): number | undefined {
  const instants = managedFields.flatMap(({ time, fieldsV1 }) => {
    const ownsSpec = typeof fieldsV1 === "object" && fieldsV1 !== null && "f:spec" in fieldsV1;
    return ownsSpec ? (instantOf(time) ?? []) : [];
  });
  return instants.length === 0 ? undefined : Math.max(...instants);
}

function decodeHistory(history: HistoryObject): ExecutionHistory {
  const nextExecutionMs = instantOf(history.nextExecutionTime);
  return {
    ruleName: history.ruleName,
    ...(nextExecutionMs === undefined ? {} : { nextExecutionMs }),
    successfulExecutions: (history.successfulExecutions ?? []).map(decodeSuccess),
    failedExecutions: (history.failedExecutions ?? []).map(decodeFailure),
  };
}

function decodeSuccess({ scheduleTime, executionTime, ...applied }: SuccessObject): SuccessfulExecution {
  return { scheduleMs: instantOf(scheduleTime) ?? 0, executionMs: instantOf(executionTime) ?? 0, ...applied };
}

function decodeFailure({ scheduleTime, executionTime, message }: FailureObject): FailedExecution {
  return { scheduleMs: instantOf(scheduleTime) ?? 0, executionMs: instantOf(executionTime) ?? 0, message };
}

/** The histories in the API's form: instants in whole seconds, cut off; empty lists left out, as upstream. */
export function encodeExecutionHistories(histories: readonly ExecutionHistory[]): HistoryObject[] {
  return histories.map(({ ruleName, nextExecutionMs, successfulExecutions, failedExecutions }) => ({
    ruleName,
    ...(nextExecutionMs === undefined ? {} : { nextExecutionTime: formatInstant(nextExecutionMs) }),
    ...(successfulExecutions.length === 0
      ? {}
      : { successfulExecutions: successfulExecutions.map(encodeExecution) }),
    ...(failedExecutions.length === 0 ? {} : { failedExecutions: failedExecutions.map(encodeExecution) }),
  }));
}

function encodeExecution<T extends SuccessfulExecution | FailedExecution>({
  scheduleMs,
  executionMs,
  ...rest
}: T) {
  return { scheduleTime: formatInstant(scheduleMs), executionTime: formatInstant(executionMs), ...rest };
}

/** The merge patch of the status that turns `before` into `after`; undefined when they are the same on the wire. */
export function cronStatusPatch(
  before: readonly ExecutionHistory[],
  after: readonly ExecutionHistory[],
): { readonly status: { readonly executionHistories: readonly HistoryObject[] } } | undefined {
  const next = encodeExecutionHistories(after);
  if (sameJson(encodeExecutionHistories(before), next)) return undefined;
  return { status: { executionHistories: next } };
}

function instantOf(text: string | null | undefined): number | undefined {
  return typeof text === "string" ? parseInstant(text) : undefined;
}
