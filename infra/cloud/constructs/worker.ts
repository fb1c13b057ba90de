import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { EventBus } from "aws-cdk-lib/aws-events";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { FunctionSpec } from "#infra/topology";
import type { StateTable } from "./state-table.ts";

export interface WorkerProps {
  readonly spec: FunctionSpec;
  /** The folder with its `index.mjs`. */
  readonly bundle: string;
}

/** One function with its own log and a role that may do what the topology says, verb by verb. */
export class Worker extends Construct {
  readonly fn: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, { spec, bundle }: WorkerProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Not Lambda's managed policy, which may write to every log of the account.
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    this.fn = new LambdaFunction(this, "Function", {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: "index.handler",
      code: Code.fromAsset(bundle),
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMb,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    this.setEnvironment("NODE_OPTIONS", "--enable-source-maps");
  }

  setEnvironment(name: string, value: string): void {
    this.fn.addEnvironment(name, value);
  }

  sendsTo(name: string, queue: IQueue): void {
    this.setEnvironment(variable("QUEUE", name), queue.queueUrl);
    queue.grantSendMessages(this.role);
  }

  keepsStateIn(name: string, state: StateTable, access: "read" | "read-write"): void {
    this.setEnvironment(variable("TABLE", name), state.table.tableName);
    state.grant(this.role, access);
  }

  publishesOn(name: string, bus: EventBus): void {
    this.setEnvironment(variable("BUS", name), bus.eventBusName);
    bus.grantPutEventsTo(this.role);
  }

  /** Messages that fail come back alone (B87); the concurrency is limited at the source, so none is throttled (B85). */
  worksOff(
    queue: IQueue,
    { batchSize, maxConcurrency }: { batchSize: number; maxConcurrency: number },
  ): void {
    this.fn.addEventSource(
      new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }),
    );
  }
}

/** `reconcile-dead` → `QUEUE_RECONCILE_DEAD`. */
function variable(kind: string, name: string): string {
  return `${kind}_${name.toUpperCase().replaceAll("-", "_")}`;
}
