import { mkdtempSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MainsheetStack } from "#infra/cloud/stack";
import { TOPOLOGY, type Topology } from "#infra/topology";
import type { HubSettings } from "#lambda/environment";

const topology: Topology = TOPOLOGY;
const hubs: HubSettings[] = [
  { name: "hub", kubeconfig: { secret: "mainsheet/kubeconfig" }, mode: "observe" },
];

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation has no types here.
  readonly Properties: any;
}

let bundles: string;
let resources: Record<string, Resource>;

/** The template over stand-ins for the bundles: what is in them is not the template's matter. */
function render(fleet: readonly HubSettings[] = hubs): Template {
  const app = new App({ outdir: mkdtempSync(join(bundles, "out-")) });
  return Template.fromStack(new MainsheetStack(app, "mainsheet", { hubs: fleet, bundles }));
}

beforeAll(async () => {
  bundles = await mkdtemp(join(tmpdir(), "bundles-"));
  for (const name of Object.keys(topology.functions)) {
    await mkdir(join(bundles, name));
    await writeFile(join(bundles, name, "index.mjs"), `export const handler = () => "${name}";\n`);
  }
  resources = render().toJSON().Resources;
}, 60_000);
afterAll(() => rm(bundles, { recursive: true }));

function ofType(type: string): [id: string, resource: Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** Logical ids hold the path: `MainsheetQueuessweepdeadC80F5B25`. */
function idOf(type: string, path: string): string {
  const stem = `Mainsheet${path.replaceAll(/[^A-Za-z0-9]/g, "")}`;
  const ids = ofType(type).flatMap(([id]) => (id.replace(/[0-9A-F]{8}$/, "") === stem ? [id] : []));
  expect(ids).toHaveLength(1);
  return ids[0] ?? "";
}

const queueId = (name: string) => idOf("AWS::SQS::Queue", `Queues${name}`);
const functionId = (name: string) => idOf("AWS::Lambda::Function", `Function${name}Function`);
const propertiesOf = (id: string) => resources[id]?.Properties;
const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

describe("the template holds the topology, no more and no less", () => {
  it.each([
    ["AWS::Lambda::Function", Object.keys(topology.functions).length],
    ["AWS::SQS::Queue", Object.keys(topology.queues).length],
    ["AWS::DynamoDB::GlobalTable", Object.keys(topology.tables).length],
    ["AWS::Events::EventBus", Object.keys(topology.buses).length],
    ["AWS::Events::Rule", Object.keys(topology.rules).length],
    [
      "AWS::Lambda::EventSourceMapping",
      Object.values(topology.functions).flatMap(({ triggers }) =>
        triggers.filter(({ kind }) => kind === "queue"),
      ).length,
    ],
  ])("%s", (type, count) => {
    expect(ofType(type)).toHaveLength(count);
  });

  it("comes out the same twice", () => {
    expect(JSON.stringify(render().toJSON())).toBe(JSON.stringify(render().toJSON()));
  });
});

describe.each(Object.entries(topology.functions))("function %s", (name, spec) => {
  it("runs on Node 24 on arm64 with the topology's limits", () => {
    expect(propertiesOf(functionId(name))).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "index.handler",
      Timeout: spec.timeoutSeconds,
      MemorySize: spec.memoryMb,
    });
  });

  it("finds in its environment what the topology gives it, and nothing else", () => {
    const { Variables } = propertiesOf(functionId(name)).Environment;
    const expected: Record<string, unknown> = {
      NODE_OPTIONS: "--enable-source-maps",
      MAINSHEET_HUBS: JSON.stringify(hubs),
    };
    for (const queue of spec.sends) {
      expected[`QUEUE_${queue.toUpperCase().replaceAll("-", "_")}`] = { Ref: queueId(queue) };
    }
    if (spec.table !== "none")
      expected.TABLE_STATE = { Ref: idOf("AWS::DynamoDB::GlobalTable", "TablestateTable") };
    if (spec.bus !== undefined)
      expected.BUS_MAINSHEET = { Ref: idOf("AWS::Events::EventBus", "Busmainsheet") };
    expect(Variables).toEqual(expected);
  });

  it("is never held to a concurrency of its own, which would throttle messages into the dead letters (B85)", () => {
    expect(propertiesOf(functionId(name))).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("may do what the topology says, by verb, on these resources alone", () => {
    const allowed = new Map<string, string>();
    for (const [, { Properties }] of ofType("AWS::IAM::Policy")) {
      const [role] = Properties.Roles;
      if (role.Ref !== idOf("AWS::IAM::Role", `Function${name}Role`)) continue;
      for (const { Action, Resource } of Properties.PolicyDocument.Statement) {
        for (const action of [Action].flat()) {
          allowed.set(action, `${allowed.get(action) ?? ""}${JSON.stringify(Resource)}`);
        }
      }
    }
    const services = [...new Set([...allowed.keys()].map((action) => action.split(":")[0]))].sort();
    const takes = spec.triggers.some(({ kind }) => kind === "queue");
    expect(services).toEqual(
      [
        ...(spec.table === "none" ? [] : ["dynamodb"]),
        ...(spec.bus === undefined ? [] : ["events"]),
        "logs",
        ...(spec.hub ? ["secretsmanager"] : []),
        ...(takes || spec.sends.length > 0 ? ["sqs"] : []),
      ].sort(),
    );
    expect([...allowed.keys()].filter((action) => action.includes("*"))).toEqual([]);
    expect([...allowed.values()].filter((resource) => resource.includes('"*"'))).toEqual([]);
    expect(allowed.has("sqs:SendMessage")).toBe(spec.sends.length > 0);
    expect(allowed.has("dynamodb:PutItem")).toBe(spec.table === "read-write");
    expect(allowed.has("dynamodb:Scan")).toBe(false);
  });
});

describe("queues", () => {
  it.each(Object.entries(topology.queues))("%s", (name, spec) => {
    const properties = propertiesOf(queueId(name));
    expect(properties.VisibilityTimeout).toBe(spec.visibilitySeconds);
    expect(properties.FifoQueue).toBe(spec.fifo ? true : undefined);
    expect(properties.RedrivePolicy).toEqual(
      spec.deadLetters === undefined
        ? undefined
        : { deadLetterTargetArn: arn(queueId(spec.deadLetters)), maxReceiveCount: spec.maxReceives },
    );
  });

  it("a message is tried five times on a standard queue, three times on the reconcile queue (B85, design 1)", () => {
    const tries = ofType("AWS::SQS::Queue").flatMap(([, { Properties }]) =>
      Properties.RedrivePolicy === undefined
        ? []
        : [[Properties.FifoQueue === true, Properties.RedrivePolicy.maxReceiveCount]],
    );
    expect(tries).toEqual([
      [false, 5],
      [true, 3],
    ]);
  });
});

describe("event sources", () => {
  const rows = Object.entries(topology.functions).flatMap(([name, { triggers, timeoutSeconds }]) =>
    triggers.flatMap((trigger) => (trigger.kind === "queue" ? [{ name, timeoutSeconds, ...trigger }] : [])),
  );

  it.each(rows)("$queue → $name", ({ name, queue, batchSize, maxConcurrency, timeoutSeconds }) => {
    const mapping = ofType("AWS::Lambda::EventSourceMapping").find(
      ([, { Properties }]) => Properties.EventSourceArn["Fn::GetAtt"][0] === queueId(queue),
    )?.[1].Properties;
    expect(mapping).toMatchObject({
      FunctionName: { Ref: functionId(name) },
      BatchSize: batchSize,
      // B87: one bad record comes back alone. B85: at least two at once, limited at the source.
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: maxConcurrency },
    });
    expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    expect(mapping.BatchSize).toBeLessThanOrEqual(10);
    // B86: six times the function's time-out and the batch window, or messages come back while they are worked on.
    const window = mapping.MaximumBatchingWindowInSeconds ?? 0;
    expect(propertiesOf(queueId(queue)).VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * timeoutSeconds + window,
    );
  });
});

describe("rules", () => {
  it.each(Object.entries(topology.rules))(
    "%s calls its function and never again for the same minute",
    (name, spec) => {
      const rule = propertiesOf(idOf("AWS::Events::Rule", `Rule${name}Rule`));
      const unit = spec.rateMinutes === 1 ? "minute" : "minutes";
      expect(rule.ScheduleExpression).toBe(`rate(${spec.rateMinutes} ${unit})`);
      expect(rule.Targets).toMatchObject([
        {
          Arn: arn(functionId(spec.target)),
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        },
      ]);
      expect(ofType("AWS::Lambda::EventInvokeConfig").map(([, { Properties }]) => Properties)).toMatchObject([
        {
          FunctionName: { Ref: functionId(spec.target) },
          MaximumRetryAttempts: 0,
          MaximumEventAgeInSeconds: 60,
        },
      ]);
    },
  );
});

describe("the table", () => {
  it("expires by the topology's attribute and outlives the stack", () => {
    const [[, table] = []] = ofType("AWS::DynamoDB::GlobalTable");
    expect(table).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    expect(table?.Properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: topology.tables.state?.partitionKey, KeyType: "HASH" },
        { AttributeName: topology.tables.state?.sortKey, KeyType: "RANGE" },
      ],
      TimeToLiveSpecification: { AttributeName: topology.tables.state?.ttl, Enabled: true },
    });
  });
});

describe("hubs", () => {
  it("a secret by its full ARN is granted by it", () => {
    const secret = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:hub-AbCdEf";
    const text = JSON.stringify(render([{ name: "hub", kubeconfig: { secret }, mode: "active" }]).toJSON());
    expect(text).toContain(`"Resource":"${secret}"`);
  });

  it("a path is refused, since no function has that file", () => {
    const hub: HubSettings = { name: "eu", kubeconfig: { path: "/etc/kubeconfig" }, mode: "observe" };
    expect(() => render([hub])).toThrow(
      "hub eu: a function cannot read /etc/kubeconfig; put it in a secret and name that",
    );
  });
});
