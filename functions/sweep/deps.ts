import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { sqsQueue } from "#adapters/sqs/queue";
import { park } from "#app/park";
import type { SweepDeps } from "#app/sweep";
import { hubPorts } from "#functions/hubs";
import { queueUrls, required } from "#lambda/environment";
import { policyFrom } from "#lambda/policy-environment";
import type { BatchDeps } from "#lambda/sqs-batch";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "sweep" });
export const telemetry = logTelemetry(process.env);

const clock = { nowMs: () => Date.now() };
const table = dynamoTable(required(process.env, "TABLE_STATE"));

export const deps: SweepDeps = {
  clock,
  table,
  queue: sqsQueue(queueUrls(process.env, ["reconcile"])),
  hubs: hubPorts(process.env),
  syncPeriodSeconds: policyFrom(process.env).syncPeriodSeconds,
};

export const batch: BatchDeps = { log: logger, clock, park: (message) => park(table, message, telemetry) };
