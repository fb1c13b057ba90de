import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { FunctionSpec } from "#infra/topology";
import type { VpcProps } from "./props.ts";

export interface WorkerProps {
  readonly spec: FunctionSpec;
  /** The folder with its `index.mjs`. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logRetention: RetentionDays;
  readonly tracing: boolean;
  /** Where it runs; absent: in no VPC. */
  readonly vpc?: VpcProps | undefined;
}

/** One function with its own log and a role that may do nothing yet but write there. */
export class Worker extends Construct {
  readonly fn: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: WorkerProps) {
    super(scope, id);
    const { spec, bundle, environment, logRetention, tracing, vpc } = props;
    const logGroup = new LogGroup(this, "Log", {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Not Lambda's managed policy, which may write to every log of the account.
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    if (vpc !== undefined) this.mayJoinVpc();
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
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      environment,
      ...vpc,
    });
    if (tracing) this.acknowledgeAnywhere("X-Ray takes traces for the whole account only");
  }

  may(actions: readonly string[], ...resources: readonly string[]): void {
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** For actions that IAM cannot bind to a resource; `reason` says so to whoever reviews the stack. */
  mayAnywhere(actions: readonly string[], reason: string): void {
    this.may(actions, "*");
    this.acknowledgeAnywhere(reason);
  }

  /** Messages that fail come back alone (B87); the concurrency is limited at the source, so none is throttled (B85). */
  worksOff(
    queue: IQueue,
    { batchSize, maxConcurrency }: { batchSize: number; maxConcurrency: number },
  ): void {
    this.fn.addEventSourceMapping(`From-${queue.node.id}`, {
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }

  /** Lambda makes the function's network interfaces with its role. Ref: Lambda Developer Guide, "Required IAM permissions". */
  private mayJoinVpc(): void {
    const actions = [
      "ec2:CreateNetworkInterface",
      "ec2:DescribeNetworkInterfaces",
      "ec2:DescribeSubnets",
      "ec2:DeleteNetworkInterface",
      "ec2:AssignPrivateIpAddresses",
      "ec2:UnassignPrivateIpAddresses",
    ];
    this.mayAnywhere(actions, "Lambda makes the network interfaces; these actions know no resources");
    // They are for Lambda; the code that runs in the function gets none of them.
    this.role.addToPrincipalPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions,
        resources: ["*"],
        conditions: { ArnLike: { "lambda:SourceFunctionArn": ["arn:*:lambda:*:*:function:*"] } },
      }),
    );
  }

  private acknowledgeAnywhere(reason: string): void {
    Validations.of(this.role).acknowledge({ id: "AwsSolutions::AwsSolutions-IAM5[Resource::*]", reason });
  }
}
