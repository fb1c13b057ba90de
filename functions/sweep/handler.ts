import type { SQSEvent } from "aws-lambda";
import { sweep } from "#app/sweep";
import { lambdaHandler } from "#lambda/chain";
import { workBatch } from "#lambda/sqs-batch";
import { parseSlotMessage } from "#wire/work";
import { batch, deps, logger, telemetry } from "./deps.ts";

/** Each slot: finds the FederatedHPAs of a hub and sends their shards. */
export const handler = lambdaHandler(
  logger,
  (event: SQSEvent) =>
    workBatch(
      batch,
      {
        queue: "sweep",
        parse: parseSlotMessage,
        open: () => async (message) => {
          const { hub, slotMs } = message;
          const outcome = await sweep(deps, message);
          logger.info("sweep", { hub, slotMs, ...outcome });
          if (outcome.result !== "swept") return;
          const SweepLatency = Math.max(0, deps.clock.nowMs() - slotMs);
          telemetry.record({ hub }, { ObjectsFound: outcome.objects, ObjectsEvaluated: 0, SweepLatency });
        },
      },
      event,
    ),
  telemetry,
);
