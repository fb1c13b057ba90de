import { randomUUID } from "node:crypto";
import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { sqsQueue } from "#adapters/sqs/queue";
import { countRefusals } from "#app/count-refusals";
import type { CronDeps } from "#app/cron/deps";
import { park } from "#app/park";
import { hubPorts } from "#functions/hubs";
import { queueUrls, required } from "#lambda/environment";
import type { BatchDeps } from "#lambda/sqs-batch";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "cron" });
export const telemetry = logTelemetry(process.env);

const clock = { nowMs: () => Date.now() };
const table = dynamoTable(required(process.env, "TABLE_STATE"));

export const deps: CronDeps = {
  clock,
  ids: { next: randomUUID },
  log: logger,
  table,
  queue: sqsQueue(queueUrls(process.env, ["reconcile"])),
  bus: countRefusals(eventBridgeBus(required(process.env, "BUS_MAINSHEET")), telemetry),
  hubs: hubPorts(process.env),
};

export const batch: BatchDeps = { log: logger, clock, park: (message) => park(table, message, telemetry) };
