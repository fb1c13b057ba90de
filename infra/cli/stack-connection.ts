import { CloudFormationClient, DescribeStacksCommand, type Output } from "@aws-sdk/client-cloudformation";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { sqsClient } from "#adapters/sqs/client";
import { sqsQueue } from "#adapters/sqs/queue";
import { type PartAddress, parseOutputDescription } from "#infra/outputs";
import { TOPOLOGY } from "#infra/topology";
import { CliError, messageOf } from "./exit.ts";
import type { StateConnection } from "./state-connection.ts";

/** A deployed stack's, with the credentials and the region of the AWS CLI's own settings. */
export async function openStackState(stack: string, region: string | undefined): Promise<StateConnection> {
  const client = { ...(region === undefined ? {} : { region }), maxAttempts: 3 };
  const outputs = await outputsOf(stack, client);
  const of = (part: PartAddress["part"]) => outputs.filter((output) => output.part === part);
  const [table, ...others] = of("table");
  const [hubs] = of("hubs");
  if (table === undefined || hubs === undefined) {
    throw new CliError("environment", `the stack ${stack} has no Mainsheet; name the stack that has one`);
  }
  if (others.length > 0) {
    throw new CliError(
      "environment",
      `the stack ${stack} has more than one Mainsheet, which cannot be told apart`,
    );
  }
  const clock = { nowMs: () => Date.now() };
  const [bus] = of("bus");
  const urls = of("queue").map(({ name, value }) => [name, value] as const);
  return {
    table: dynamoTable(table.value, { documents: dynamoDocuments(client), clock }),
    queue: sqsQueue(Object.fromEntries(urls), sqsClient(client)),
    queues: TOPOLOGY.queues,
    hubs: hubs.value.split(","),
    clock,
    ...(bus === undefined ? {} : { bus: eventBridgeBus(bus.value, eventBridgeClient(client)) }),
  };
}

/** The same by the parts' own names, for a process that may not ask CloudFormation. It has no queues. */
export function openNamedState(names: {
  readonly table: string;
  readonly bus: string;
  readonly hub: string;
  readonly region: string | undefined;
}): StateConnection {
  const client = { ...(names.region === undefined ? {} : { region: names.region }), maxAttempts: 3 };
  const clock = { nowMs: () => Date.now() };
  return {
    table: dynamoTable(names.table, { documents: dynamoDocuments(client), clock }),
    bus: eventBridgeBus(names.bus, eventBridgeClient(client)),
    ...{ queue: sqsQueue({}, sqsClient(client)), queues: {}, hubs: [names.hub], clock },
  };
}

async function outputsOf(
  stack: string,
  client: { readonly region?: string; readonly maxAttempts: number },
): Promise<readonly (PartAddress & { readonly value: string })[]> {
  let outputs: readonly Output[];
  try {
    const cloudFormation = new CloudFormationClient(client);
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
    outputs = Stacks[0]?.Outputs ?? [];
  } catch (cause) {
    throw new CliError("environment", `describe the stack ${stack}: ${messageOf(cause)}`, { cause });
  }
  return outputs.flatMap(({ Description = "", OutputValue: value = "" }) => {
    const address = parseOutputDescription(Description);
    return address === undefined ? [] : [{ ...address, value }];
  });
}
