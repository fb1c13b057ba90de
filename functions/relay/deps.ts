import { Logger } from "@aws-lambda-powertools/logger";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { nodePlatform } from "#adapters/node/platform";
import { brotli } from "#adapters/zlib/compression";
import { logRelay } from "#app/relay/log-relay";
import { HUB_SOURCES } from "#app/relay/sources";
import { hubConnection } from "#functions/hubs";
import { hubs, required } from "#lambda/environment";

export const logger = new Logger({ serviceName: "relay" });

const table = dynamoTable(required(process.env, "TABLE_STATE"));
const bus = eventBridgeBus(required(process.env, "BUS_MAINSHEET"));

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
