import type { Logger } from "@aws-lambda-powertools/logger";
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import type { LogTelemetry } from "./telemetry.ts";

/** The time an invocation keeps to report when its work did not end. */
const TIMEOUT_EARLY_MS = 300;
/** The time its work keeps to record what it has, once it is told that time is nearly up. */
const WIND_UP_MS = 2_000;

/**
 * The one chain around every function: the request id on each log line, a signal to the work that time is nearly up, an
 * early stop before Lambda's own time-out (with its reason in the log, which a killed process could not leave), a log
 * line for what was thrown, and one for what was measured.
 */
export function lambdaHandler<TEvent, TResult>(
  logger: Logger,
  work: (event: TEvent, signal: AbortSignal) => Promise<TResult>,
  telemetry?: LogTelemetry,
): (event: TEvent, context: Context) => Promise<TResult> {
  const chain = middy({ timeoutEarlyInMillis: TIMEOUT_EARLY_MS }).use({
    before: ({ context }) => logger.addContext(context),
    after: () => telemetry?.flush(),
    onError: ({ error }) => {
      logger.error("invocation failed", error ?? new Error("unknown"));
      telemetry?.flush();
    },
  });
  const timed = (event: TEvent, context: Context) =>
    work(event, AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - WIND_UP_MS)));
  return chain.handler(timed) as unknown as (event: TEvent, context: Context) => Promise<TResult>;
}
