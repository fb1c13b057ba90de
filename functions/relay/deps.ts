import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { nodePlatform } from "#adapters/node/platform";
import { brotli } from "#adapters/zlib/compression";
import { countRefusals } from "#app/count-refusals";
import { logRelay } from "#app/relay/log-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import { hubConnection } from "#functions/hubs";
import { hubs, required } from "#lambda/environment";
import { logTelemetry } from "#lambda/telemetry";

export const logger = new Logger({ serviceName: "relay" });
export const telemetry = logTelemetry(process.env);

const table = dynamoTable(required(process.env, "TABLE_STATE"));
const bus = countRefusals(eventBridgeBus(required(process.env, "BUS_MAINSHEET")), telemetry);

/** One for each hub that asked for it. */
export const relays = hubs(process.env)
  .filter(({ relay }) => relay)
  .map((settings) => {
    const port = hubConnection(settings, process.env);
    return {
      ...nodePlatform(),
      ...{ hub: settings.name, sources: HUB_SOURCES, table, bus, compression: brotli },
      connect: (signal: AbortSignal) => port.within(signal),
      tell: logRelay(logger, settings.name),
    };
  });
