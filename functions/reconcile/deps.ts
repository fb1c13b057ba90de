import { randomUUID } from "node:crypto";
import { Logger } from "@aws-lambda-powertools/logger";
import { cloudWatchMetrics } from "#adapters/cloudwatch/external-metrics";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { readYaml } from "#adapters/js-yaml/read-yaml";
import { sqsQueue } from "#adapters/sqs/queue";
import { brotli } from "#adapters/zlib/compression";
import { countRefusals } from "#app/count-refusals";
import { park } from "#app/park";
import type { ReconcileDeps } from "#app/reconcile/deps";
import { hubPorts } from "#functions/hubs";
import { logDecisions, queueUrls, required } from "#lambda/environment";
import { ledgerSettings } from "#lambda/ledger-environment";
import { policyFrom } from "#lambda/policy-environment";
import type { BatchDeps } from "#lambda/sqs-batch";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "reconcile" });
export const telemetry = logTelemetry(process.env);

const clock = { nowMs: () => Date.now() };
const table = dynamoTable(required(process.env, "TABLE_STATE"));

export const deps: ReconcileDeps = {
  clock,
  ids: { next: randomUUID },
  log: logger,
  table,
  queue: sqsQueue(queueUrls(process.env, ["reconcile"])),
  bus: countRefusals(eventBridgeBus(required(process.env, "BUS_MAINSHEET")), telemetry),
  hubs: hubPorts(process.env, { cloudwatch: cloudWatchMetrics() }),
  policy: policyFrom(process.env),
  telemetry,
  logDecisions: logDecisions(process.env),
  readYaml,
  ledger: { ...ledgerSettings(process.env), compression: brotli },
};

export const batch: BatchDeps = { log: logger, clock, park: (message) => park(table, message, telemetry) };
