import type { SQSEvent } from "aws-lambda";
import { sweep } from "#app/sweep";
import { lambdaHandler } from "#lambda/chain";
import { workBatch } from "#lambda/sqs-batch";
import { parseSlotMessage } from "#wire/work";
import { batch, deps, logger } from "./deps.ts";

/** Each slot: finds the FederatedHPAs of a hub and sends their shards. */
export const handler = lambdaHandler(logger, (event: SQSEvent) =>
  workBatch(
    batch,
    {
      queue: "sweep",
      parse: parseSlotMessage,
      open: () => async (message) => {
        logger.info("sweep", { hub: message.hub, slotMs: message.slotMs, ...(await sweep(deps, message)) });
      },
    },
    event,
  ),
);
