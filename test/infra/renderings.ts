/** What the cloud and this machine each make of the topology, in one form, so that they can be compared. */
import type { Stack } from "aws-cdk-lib";
import { functionConfigs, queueConfigs, sourceConfigs, tableConfigs } from "#infra/local/aws/rendering";
import type { Topology } from "#infra/topology";
import { type Resource, resourcesOf } from "#test/infra/stack";
import { topologyNames } from "#test/infra/topology-names";

export interface Rendering {
  readonly functions: Readonly<Record<string, RenderedFunction>>;
  /** `queue sweep → sweep: batches of 1, 2 at once`, `every 1 min → tick`. */
  readonly triggers: readonly string[];
  readonly queues: Readonly<Record<string, RenderedQueue>>;
  readonly tables: Readonly<Record<string, readonly [partitionKey: string, sortKey: string, ttl: string]>>;
  readonly buses: readonly string[];
  /** `bus mainsheet {"source":…} → queue route` */
  readonly busRules: readonly string[];
}

interface RenderedFunction {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Addresses as `queue sweep`, `table state`, `bus mainsheet`; settings as they are. */
  readonly environment: Readonly<Record<string, string>>;
}

interface RenderedQueue {
  readonly fifo: boolean;
  readonly visibilitySeconds: number;
  readonly delaySeconds: number;
  readonly deadLetters?: string;
  readonly maxReceives?: number;
}

/** Lambda sets them by itself, or they lead the SDK to this machine and quieten it. */
const SET_BY_LAMBDA =
  /^(AWS_(REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY|LAMBDA_\w+)|TZ|AWS_(ENDPOINT_URL|EC2_METADATA_DISABLED|SDK_\w+))$/;

export function localRendering(topology: Topology, settings: Readonly<Record<string, string>>): Rendering {
  const endpoint = "http://127.0.0.1:9";
  const nameOf = (queue: string) => queue.replace(/\.fifo$/, "");
  const configs = functionConfigs(topology, { endpoint, bundles: "", environment: () => settings });
  return {
    functions: mapValues(configs, ({ timeoutSeconds, memoryMb, environment }) => ({
      timeoutSeconds,
      memoryMb,
      environment: environmentOf(environment, SET_BY_LAMBDA, (name, value) => {
        if (name === "METRICS_NAMESPACE") return "its own";
        if (name.startsWith("QUEUE_")) return `queue ${nameOf(value.slice(value.lastIndexOf("/") + 1))}`;
        if (name.startsWith("TABLE_")) return `table ${value}`;
        return name.startsWith("BUS_") ? `bus ${value}` : value;
      }),
    })),
    triggers: sourceConfigs(topology)
      .map((source) =>
        source.kind === "rule"
          ? ruleText(source.rateMinutes, source.functionName)
          : queueText(nameOf(source.queue), source.functionName, source.batchSize, source.maxConcurrency),
      )
      .sort(),
    queues: Object.fromEntries(
      queueConfigs(topology).map(({ name, visibilitySeconds, delaySeconds = 0, redrive }) => [
        nameOf(name),
        {
          fifo: name.endsWith(".fifo"),
          visibilitySeconds,
          delaySeconds,
          ...(redrive && { deadLetters: nameOf(redrive.deadLetters), maxReceives: redrive.maxReceives }),
        },
      ]),
    ),
    tables: Object.fromEntries(
      tableConfigs(topology).map(({ name, partitionKey, sortKey, ttl }) => [
        name,
        [partitionKey, sortKey, ttl],
      ]),
    ),
    buses: Object.keys(topology.buses).sort(),
    busRules: Object.values(topology.busRules)
      .map(({ bus, pattern, to }) => busRuleText(bus, pattern, "queue" in to ? to.queue : to.bus))
      .sort(),
  };
}

export function cloudRendering(stack: Stack): Rendering {
  const resources = resourcesOf(stack);
  const { nameOf, referred } = topologyNames(stack);
  const named = <T>(type: string, map: (properties: Resource["Properties"]) => T): Record<string, T> =>
    Object.fromEntries(
      Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
        Type === type ? [[nameOf(id), map(Properties)]] : [],
      ),
    );
  const listed = <T>(type: string, map: (properties: Resource["Properties"]) => T): T[] =>
    Object.values(resources).flatMap(({ Type, Properties }) => (Type === type ? [map(Properties)] : []));

  return {
    functions: named("AWS::Lambda::Function", ({ Timeout, MemorySize, Environment }) => ({
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
      environment: environmentOf(Environment.Variables, undefined, (name, value) => {
        if (name === "METRICS_NAMESPACE") return "its own";
        if (typeof value === "string") return value;
        return `${name.split("_")[0]?.toLowerCase()} ${referred(value as object)}`;
      }),
    })),
    triggers: [
      ...listed("AWS::Lambda::EventSourceMapping", (source) =>
        queueText(
          referred(source.EventSourceArn),
          referred(source.FunctionName),
          source.BatchSize,
          source.ScalingConfig.MaximumConcurrency,
        ),
      ),
      ...listed("AWS::Events::Rule", ({ ScheduleExpression, Targets }) => {
        if (ScheduleExpression === undefined) return [];
        const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
        return Targets.map(({ Arn }: { Arn: object }) => ruleText(Number(minutes), referred(Arn))).join();
      }).flat(),
    ].sort(),
    queues: named("AWS::SQS::Queue", ({ FifoQueue, VisibilityTimeout, DelaySeconds, RedrivePolicy }) => ({
      fifo: FifoQueue === true,
      visibilitySeconds: VisibilityTimeout,
      delaySeconds: DelaySeconds ?? 0,
      ...(RedrivePolicy && {
        deadLetters: referred(RedrivePolicy.deadLetterTargetArn),
        maxReceives: RedrivePolicy.maxReceiveCount,
      }),
    })),
    tables: named("AWS::DynamoDB::GlobalTable", ({ KeySchema, TimeToLiveSpecification }) => {
      const key = (type: string) =>
        KeySchema.find(({ KeyType }: { KeyType: string }) => KeyType === type)?.AttributeName;
      return [key("HASH"), key("RANGE"), TimeToLiveSpecification.AttributeName] as const;
    }),
    buses: Object.keys(named("AWS::Events::EventBus", () => true)).sort(),
    busRules: listed("AWS::Events::Rule", ({ EventPattern, EventBusName, Targets }) => {
      if (EventPattern === undefined) return [];
      const bus = EventBusName === undefined ? "default" : referred(EventBusName);
      return Targets.map(({ Arn }: { Arn: object }) => busRuleText(bus, EventPattern, referred(Arn)));
    })
      .flat()
      .sort(),
  };
}

function queueText(queue: string, functionName: string, batchSize: number, atOnce: number): string {
  return `queue ${queue} → ${functionName}: batches of ${batchSize}, ${atOnce} at once`;
}

function ruleText(minutes: number, functionName: string): string {
  return `every ${minutes} min → ${functionName}`;
}

function busRuleText(bus: string, pattern: object, to: string): string {
  return `bus ${bus} ${JSON.stringify(pattern, ["detail-type", "source"])} → ${to}`;
}

function environmentOf<T>(
  variables: Readonly<Record<string, T>>,
  without: RegExp | undefined,
  map: (name: string, value: T) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => !without?.test(name))
      .map(([name, value]) => [name, map(name, value)]),
  );
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
