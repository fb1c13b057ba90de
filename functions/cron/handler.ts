import type { SQSEvent } from "aws-lambda";
import { evaluateHub } from "#app/cron/evaluate-hub";
import { lambdaHandler } from "#lambda/chain";
import { workBatch } from "#lambda/sqs-batch";
import { parseCronMessage } from "#wire/work";
import { batch, deps, logger, telemetry } from "./deps.ts";

/** Each minute: every rule of a hub's CronFederatedHPAs that came due. */
export const handler = lambdaHandler(
  logger,
  (event: SQSEvent, signal) =>
    workBatch(
      batch,
      {
        queue: "cron",
        parse: parseCronMessage,
        open:
          () =>
          async (message, { receiveCount }) => {
            const { hub, dueAtMs } = message;
            const isOutOfTime = () => signal.aborted;
            const outcome = await evaluateHub(deps, message, { receiveCount, isOutOfTime });
            logger.info("cron", { hub, dueAtMs, ...outcome });
            if (outcome.result !== "evaluated") return;
            telemetry.record({ hub }, { CronRuns: outcome.runs, CronRunsFailed: outcome.runsFailed });
          },
      },
      event,
    ),
  telemetry,
);
