import type { SQSEvent } from "aws-lambda";
import { openReconcile } from "#app/reconcile/open-reconcile";
import { lambdaHandler } from "#lambda/chain";
import { workBatch } from "#lambda/sqs-batch";
import { parseReconcileMessage } from "#wire/work";
import { batch, deps, logger, telemetry } from "./deps.ts";

/** For each shard or object of the batch: decide every FederatedHPA, write what it wants, keep why. */
export const handler = lambdaHandler(
  logger,
  (event: SQSEvent, signal) =>
    workBatch(
      batch,
      {
        queue: "reconcile",
        parse: parseReconcileMessage,
        open: (messages) => openReconcile(deps, messages, signal),
      },
      event,
    ),
  telemetry,
);
