import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantsOf } from "#infra/grants";
import { TOPOLOGY, type Topology } from "#infra/topology";
import { type Resource, resourcesOf, stackOf, standInBundles } from "#test/infra/stack";

const topology: Topology = TOPOLOGY;

let bundles: string;
let resources: Record<string, Resource>;

beforeAll(async () => {
  bundles = await standInBundles();
  resources = resourcesOf(stackOf(bundles));
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
    ["AWS::Events::Rule", Object.keys({ ...topology.rules, ...topology.busRules }).length],
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
    const [one, other] = [stackOf(bundles), stackOf(bundles)].map(resourcesOf);
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
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

  it("is never held to a concurrency of its own, which would throttle messages into the dead letters (B85)", () => {
    expect(propertiesOf(functionId(name))).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("may do what the topology says, by verb, on these resources alone", () => {
    const rights: string[] = [];
    for (const [, { Properties }] of ofType("AWS::IAM::Policy")) {
      const [role] = Properties.Roles;
      if (role.Ref !== idOf("AWS::IAM::Role", `Function${name}Role`)) continue;
      for (const { Action, Resource, Effect } of Properties.PolicyDocument.Statement) {
        expect(Effect).toBe("Allow");
        for (const action of [Action].flat()) rights.push(`${action} on ${JSON.stringify(Resource)}`);
      }
    }
    const promised = grantsOf(spec).flatMap(({ actions, on }) =>
      actions.map((action) => `${action} on ${JSON.stringify(resourceOf(on))}`),
    );
    const log = JSON.stringify(arn(idOf("AWS::Logs::LogGroup", `Function${name}Log`)));
    expect(rights.sort()).toEqual(
      [...promised, `logs:CreateLogStream on ${log}`, `logs:PutLogEvents on ${log}`].sort(),
    );
    expect(rights.filter((right) => right.includes(":*"))).toEqual([]);
  });
});

function resourceOf(on: ReturnType<typeof grantsOf>[number]["on"]): unknown {
  switch (on.kind) {
    case "QUEUE":
      return arn(queueId(on.of));
    case "TABLE":
      return arn(idOf("AWS::DynamoDB::GlobalTable", `Table${on.of}Table`));
    case "BUS":
      return arn(idOf("AWS::Events::EventBus", `Bus${on.of}Bus`));
    case "HUB_SECRETS": {
      const account = ["", { Ref: "AWS::Region" }, { Ref: "AWS::AccountId" }];
      const [empty, region, accountId] = account;
      const name = ":secret:mainsheet/kubeconfig-??????";
      const parts = [{ Ref: "AWS::Partition" }, ":secretsmanager:", region, ":", accountId, name];
      return { "Fn::Join": [empty, ["arn:", ...parts]] };
    }
    case "ACCOUNT":
      return "*";
  }
}

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
      [false, 5],
      [false, 5],
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

describe("what keeps work going", () => {
  it("no function is called by what it sends itself, but for a shard taken apart once, an event held back once (B84)", () => {
    const loops = Object.entries(topology.functions).flatMap(([name, { sends, triggers }]) =>
      triggers.flatMap((trigger) =>
        trigger.kind === "queue" && sends.includes(trigger.queue) ? [`${name} by ${trigger.queue}`] : [],
      ),
    );
    expect(loops).toEqual(["reconcile by reconcile", "route by route"]);
  });

  it("at least four reconciles work side by side, for hundreds of objects in a minute (B95)", () => {
    const [trigger] = TOPOLOGY.functions.reconcile.triggers;
    expect(trigger.maxConcurrency).toBeGreaterThanOrEqual(4);
  });

  it("schedules are rates: no cron expression is handed to AWS, whose grammar is another (B94)", () => {
    const schedules = ofType("AWS::Events::Rule").flatMap(
      ([, { Properties }]) => Properties.ScheduleExpression ?? [],
    );
    expect(schedules).toHaveLength(Object.keys(topology.rules).length);
    expect(schedules.filter((schedule) => !schedule.startsWith("rate("))).toEqual([]);
    expect(ofType("AWS::Scheduler::Schedule")).toEqual([]);
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

describe("rules of buses", () => {
  it.each(Object.entries(topology.busRules))("%s", (name, { bus, pattern, to }) => {
    const rule = propertiesOf(idOf("AWS::Events::Rule", `BusRule${name}Rule`));
    const target = "queue" in to ? queueId(to.queue) : idOf("AWS::Events::EventBus", `Bus${to.bus}Bus`);
    expect(rule.EventBusName).toEqual(
      bus === "default" ? undefined : { Ref: idOf("AWS::Events::EventBus", `Bus${bus}Bus`) },
    );
    expect(rule.EventPattern).toEqual(pattern);
    expect(rule.Targets).toMatchObject([{ Arn: arn(target) }]);
  });

  it("EventBridge may send to the queue from its rule, and to the bus by a role that may do nothing else", () => {
    const policies = ofType("AWS::SQS::QueuePolicy").flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(
        ({ Principal }: { Principal: { Service?: string } }) => Principal.Service === "events.amazonaws.com",
      ),
    );
    expect(policies).toMatchObject([
      { Effect: "Allow", Condition: { ArnEquals: { "aws:SourceArn": {} } }, Resource: arn(queueId("route")) },
    ]);
    const roles = ofType("AWS::IAM::Policy").flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(
        ({ Action }: { Action: unknown }) => Action === "events:PutEvents",
      ),
    );
    expect(roles).toContainEqual(
      expect.objectContaining({ Resource: arn(idOf("AWS::Events::EventBus", "BusmainsheetBus")) }),
    );
  });
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
