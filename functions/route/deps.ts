import { randomUUID } from "node:crypto";
import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { sqsQueue } from "#adapters/sqs/queue";
import { park } from "#app/park";
import type { RouteDeps } from "#app/route/deps";
import { openRouteMemory } from "#app/route/memory";
import { hubs, queueUrls, required } from "#lambda/environment";
import type { BatchDeps } from "#lambda/sqs-batch";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "route" });
export const telemetry = logTelemetry(process.env);

const clock = { nowMs: () => Date.now() };
const table = dynamoTable(required(process.env, "TABLE_STATE"));

export const deps: RouteDeps = {
  clock,
  ids: { next: randomUUID },
  log: logger,
  table,
  memory: openRouteMemory(clock),
  queue: sqsQueue(queueUrls(process.env, ["reconcile", "route"])),
  hubs: hubs(process.env).map(({ name }) => name),
};

export const batch: BatchDeps = { log: logger, clock, park: (message) => park(table, message, telemetry) };
