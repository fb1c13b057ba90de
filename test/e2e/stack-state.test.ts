import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { park } from "#app/park";
import { openLocalState } from "#infra/cli/state-connection";
import { awsQueueName } from "#infra/local/aws/rendering";
import { type AwsHost, startAws } from "#infra/local/aws-host";
import { virtualClock } from "#infra/local/clock";
import { parseOutputDescription } from "#infra/outputs";
import { TOPOLOGY } from "#infra/topology";
import { stackOf, standInBundles } from "#test/infra/stack";

const MAINSHEET = new URL("../../infra/cli/mainsheet.mjs", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "stack-state-"));
let aws: AwsHost;
let cloudFormation: Server;
let bundles: string;
let asked: string[];

/** The outputs that a synthesized stack has, with the values that they have on this machine. */
function outputs(): readonly { readonly description: string; readonly value: string }[] {
  const declared = Template.fromStack(
    stackOf(bundles, { hubs: [{ name: "eu", kubeconfig: { secret: "eu" } }] }),
  ).toJSON().Outputs as Record<string, { Description: string; Value: unknown }>;
  return Object.values(declared).map(({ Description, Value }) => {
    const { part, name } = parseOutputDescription(Description) ?? { part: "none", name: "" };
    const queue = `${aws.endpoint}/000000000000/${awsQueueName(TOPOLOGY, name)}`;
    return {
      description: Description,
      value: part === "queue" ? queue : part === "table" ? name : String(Value),
    };
  });
}

/** Ref: CloudFormation API Reference, "DescribeStacks". */
function stacksXml(): string {
  const members = outputs().map(
    ({ description, value }, i) =>
      `<member><OutputKey>k${i}</OutputKey><OutputValue>${value}</OutputValue><Description>${description.replaceAll("'", "&apos;")}</Description></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>mainsheet</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-03-02T09:00:00Z</CreationTime><Outputs>${members.join("")}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

beforeAll(async () => {
  bundles = await standInBundles();
  aws = await startAws({
    topology: TOPOLOGY,
    clock: virtualClock({ startMs: Date.now(), speed: 1 }),
    dataDir: folder,
    functions: { invoke: async () => ({ batchItemFailures: [] }) },
  });
  asked = [];
  cloudFormation = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push(body);
    const known = body.includes("StackName=mainsheet");
    response.writeHead(known ? 200 : 400, { "content-type": "text/xml" });
    response.end(
      known
        ? stacksXml()
        : "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id other does not exist</Message></Error></ErrorResponse>",
    );
  });
  cloudFormation.listen(0, "127.0.0.1");
  await once(cloudFormation, "listening");
  const { table } = await openLocalState(aws.endpoint);
  const message = {
    queue: "reconcile",
    messageId: "7f3a",
    body: JSON.stringify({ hub: "eu" }),
    receiveCount: 3,
  };
  await park(table, { ...message, cause: "crashed 3 times", atMs: Date.now() });
}, 60_000);
afterAll(async () => {
  cloudFormation.close();
  await aws.stop();
  rmSync(folder, { recursive: true });
  rmSync(bundles, { recursive: true });
});

function mainsheet(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: "none",
    AWS_SECRET_ACCESS_KEY: "none",
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAINSHEET, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe("mainsheet --stack", { timeout: 60_000 }, () => {
  it("finds a deployed stack's table, queues and hubs by its outputs", async () => {
    const { code, stdout, stderr } = await mainsheet(
      ...["parked", "list", "--json", "--stack", "mainsheet", "--region", "eu-west-1"],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject([{ id: "7f3a", hub: "eu", cause: "crashed 3 times" }]);
    expect(asked[0]).toContain("Action=DescribeStacks");
  });

  it.each([
    [
      "a stack that is not there",
      ["--stack", "other", "--region", "eu-west-1"],
      3,
      "mainsheet: describe the stack other: Stack with id other does not exist",
    ],
    [
      "a stack and an address",
      ["--stack", "mainsheet", "--endpoint", "http://127.0.0.1:9"],
      2,
      "mainsheet: --stack and --endpoint exclude each other; give the one that is meant",
    ],
    ["a region alone", ["--region", "eu-west-1"], 2, "mainsheet: --region goes with --stack; add it"],
  ])("%s is one sentence", async (_case, args, exit, sentence) => {
    const { code, stderr } = await mainsheet("parked", "list", ...args);
    expect({ code, stderr: stderr.trim() }).toEqual({ code: exit, stderr: sentence });
  });
});
