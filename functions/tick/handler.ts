import { tick } from "#app/tick";
import { lambdaHandler } from "#lambda/chain";
import { deps, logger } from "./deps.ts";

/** Every minute: the slot and cron messages of the coming two minutes. */
export const handler = lambdaHandler(logger, async () => {
  const { sent } = await tick(deps);
  logger.info("tick", { sent });
});
