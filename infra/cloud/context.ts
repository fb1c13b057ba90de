import { type ISecurityGroup, SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import * as z from "zod";
import type { MainsheetProps, VpcProps } from "#infra/cloud/constructs/props";

/** The props of the stack in cdk.json's context or `cdk deploy -c name=value`, a value being JSON or plain text. */

const vpcAttributes = z.strictObject({
  vpcId: z.string(),
  availabilityZones: z.array(z.string()).min(1),
  /** One for each availability zone, in their order. */
  privateSubnetIds: z.array(z.string()).min(1),
  securityGroupIds: z.array(z.string()).optional(),
});

const PROPS: Readonly<Record<string, z.ZodType>> = {
  // What is in these is judged where it is used.
  hubs: z.custom<MainsheetProps["hubs"]>(),
  controller: z.custom<NonNullable<MainsheetProps["controller"]>>((value) => typeof value === "object"),
  events: z.custom<NonNullable<MainsheetProps["events"]>>((value) => Array.isArray(value)),
  logDecisions: z.enum(["all", "changes"]),
  ledgerDecisions: z.string(),
  ledgerDays: z.number(),
  logRetentionDays: z.number(),
  tracing: z.boolean(),
  deletionProtection: z.boolean(),
  pointInTimeRecovery: z.boolean(),
  archiveDays: z.number(),
  clusters: z.number(),
};

/** Throws one sentence for what is not understood. `scope` is where a VPC that is named by its ids belongs. */
export function propsFromContext(scope: Construct): MainsheetProps {
  const given = Object.entries(PROPS).flatMap(([name, schema]) => {
    const value = contextValue(scope, name, schema);
    return value === undefined ? [] : [[name, value]];
  });
  const vpc = contextValue(scope, "vpc", vpcAttributes);
  const topic = contextValue(scope, "alarmTopicArn", z.string());
  return {
    ...Object.fromEntries(given),
    ...(topic === undefined ? {} : { alarmTopic: Topic.fromTopicArn(scope, "AlarmTopic", topic) }),
    ...(vpc === undefined ? {} : { vpc: vpcOf(scope, vpc) }),
  };
}

function contextValue<T>(scope: Construct, name: string, schema: z.ZodType<T>): T | undefined {
  const raw: unknown = scope.node.tryGetContext(name);
  if (raw === undefined) return undefined;
  const result = schema.safeParse(typeof raw === "string" ? parsed(raw) : raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = [name, ...(issue?.path ?? [])].join(".");
  throw new Error(`the context ${place} is not as it should be: ${issue?.message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** By attributes, because a look-up would need credentials at synth (serverless 5.2). */
function vpcOf(scope: Construct, attributes: z.infer<typeof vpcAttributes>): VpcProps {
  const { securityGroupIds, ...rest } = attributes;
  return {
    vpc: Vpc.fromVpcAttributes(scope, "Vpc", rest),
    ...(securityGroupIds === undefined ? {} : { securityGroups: groups(scope, securityGroupIds) }),
  };
}

function groups(scope: Construct, ids: readonly string[]): ISecurityGroup[] {
  return ids.map((id) => SecurityGroup.fromSecurityGroupId(scope, `SecurityGroup-${id}`, id));
}
