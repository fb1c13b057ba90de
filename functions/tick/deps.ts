import { Logger } from "@aws-lambda-powertools/logger";
import { sqsQueue } from "#adapters/sqs/queue";
import type { TickDeps } from "#app/tick";
import { hubs, queueUrls } from "#lambda/environment";
import { policyFrom } from "#lambda/policy-environment";

export const logger = new Logger({ serviceName: "tick" });

export const deps: TickDeps = {
  clock: { nowMs: () => Date.now() },
  queue: sqsQueue(queueUrls(process.env, ["sweep", "cron"])),
  hubs: hubs(process.env).map(({ name }) => name),
  syncPeriodSeconds: policyFrom(process.env).syncPeriodSeconds,
};
