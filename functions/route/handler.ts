import type { SQSEvent } from "aws-lambda";
import { openRoute } from "#app/route/open-route";
import { lambdaHandler } from "#lambda/chain";
import { workBatch } from "#lambda/sqs-batch";
import { parseRouteMessage } from "#wire/work";
import { batch, deps, logger, telemetry } from "./deps.ts";

/** For each event: has the FederatedHPAs that it concerns evaluated, each at most once in its floor. */
export const handler = lambdaHandler(
  logger,
  (event: SQSEvent) =>
    workBatch(batch, { queue: "route", parse: parseRouteMessage, open: () => openRoute(deps) }, event),
  telemetry,
);
