import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { park } from "#app/park";
import type { DeadLetterDeps } from "#lambda/dead-letters";
import { required } from "#lambda/environment";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "parked" });
export const telemetry = logTelemetry(process.env);

const table = dynamoTable(required(process.env, "TABLE_STATE"));

export const deps: DeadLetterDeps = {
  log: logger,
  clock: { nowMs: () => Date.now() },
  park: (message) => park(table, message, telemetry),
};
