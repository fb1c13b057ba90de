/** What the topology is called on this machine, and what its functions are told. */
import { join } from "node:path";
import type { FunctionConfig } from "#infra/local/functions/protocol";
import { partsOf } from "#infra/parts";
import type { Topology } from "#infra/topology";
import { variable } from "#lambda/environment";
import { queueUrl, REGION } from "./names.ts";
import type { QueueConfig } from "./sqs/queues.ts";
import type { TableConfig } from "./tables.ts";

/** A FIFO queue's name ends in `.fifo`; otherwise queues, tables and buses are called as in the topology. */
export function awsQueueName(topology: Topology, queue: string): string {
  return topology.queues[queue]?.fifo ? `${queue}.fifo` : queue;
}

export function queueConfigs(topology: Topology): readonly QueueConfig[] {
  return Object.entries(topology.queues).map(([queue, { visibilitySeconds, maxReceives, deadLetters }]) => ({
    name: awsQueueName(topology, queue),
    visibilitySeconds,
    ...(deadLetters !== undefined &&
      maxReceives !== undefined && {
        redrive: { deadLetters: awsQueueName(topology, deadLetters), maxReceives },
      }),
  }));
}

export function tableConfigs(topology: Topology): readonly TableConfig[] {
  return Object.entries(topology.tables).map(([name, spec]) => ({ name, ...spec }));
}

/** What calls a function: a queue's batches, or a rule's minutes. */
export type SourceConfig =
  | {
      readonly kind: "queue";
      readonly functionName: string;
      /** As AWS names it. */
      readonly queue: string;
      readonly batchSize: number;
      readonly maxConcurrency: number;
    }
  | {
      readonly kind: "rule";
      readonly functionName: string;
      readonly rule: string;
      readonly rateMinutes: number;
    };

export function sourceConfigs(topology: Topology): readonly SourceConfig[] {
  return Object.entries(topology.functions).flatMap(([functionName, { triggers }]) =>
    triggers.map((trigger): SourceConfig => {
      if (trigger.kind === "queue") {
        return { ...trigger, functionName, queue: awsQueueName(topology, trigger.queue) };
      }
      const { rateMinutes = 1 } = topology.rules[trigger.rule] ?? {};
      return { ...trigger, functionName, rateMinutes };
    }),
  );
}

export interface FunctionRendering {
  readonly endpoint: string;
  /** The folder with `<name>/index.mjs`. */
  readonly bundles: string;
  /** More environment variables. */
  readonly environment: (functionName: string) => Readonly<Record<string, string>>;
}

export function functionConfigs(
  topology: Topology,
  { endpoint, bundles, environment }: FunctionRendering,
): Readonly<Record<string, FunctionConfig>> {
  return Object.fromEntries(
    Object.entries(topology.functions).map(([name, { timeoutSeconds, memoryMb }]) => [
      name,
      {
        bundle: join(bundles, name, "index.mjs"),
        timeoutSeconds,
        memoryMb,
        environment: { ...functionEnvironment(topology, name, endpoint), ...environment(name) },
      },
    ]),
  );
}

/**
 * The environment variables of a function: what the topology promises it, and how its SDK clients find this machine
 * and nothing else.
 */
function functionEnvironment(
  topology: Topology,
  functionName: string,
  endpoint: string,
): Record<string, string> {
  const spec = topology.functions[functionName];
  const environment: Record<string, string> = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    AWS_SDK_UA_APP_ID: functionName,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec?.memoryMb ?? 128),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    TZ: ":UTC",
  };
  for (const { kind, of } of spec === undefined ? [] : partsOf(spec)) {
    environment[variable(kind, of)] = kind === "QUEUE" ? queueUrl(endpoint, awsQueueName(topology, of)) : of;
  }
  return environment;
}
