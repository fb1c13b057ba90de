import type { SQSEvent } from "aws-lambda";
import { lambdaHandler } from "#lambda/chain";
import { parkDeadLetters } from "#lambda/dead-letters";
import { deps, logger, telemetry } from "./deps.ts";

/** Dead letters: keeps each with its cause before it leaves the queue. */
export const handler = lambdaHandler(logger, (event: SQSEvent) => parkDeadLetters(deps, event), telemetry);
