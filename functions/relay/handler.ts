import type { ScheduledEvent } from "aws-lambda";
import { relayTurns } from "#app/relay/relay-turns";
import { lambdaHandler } from "#lambda/chain";
import { logger, relays, telemetry } from "./deps.ts";

/** Every minute: takes over from the turn before, and brings the hubs' changes to the bus until its time is up. */
export const handler = lambdaHandler(
  logger,
  async (event: ScheduledEvent, signal) => {
    const holder = `relay function ${event.id}`;
    logger.info("relay", { ends: await relayTurns(relays, holder, signal) });
  },
  telemetry,
);
