import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Resource, resourcesOf, stackOf, standInBundles } from "#test/infra/stack";

const RULE = "AWS::Events::Rule";
const ask = { hub: "eu", namespace: "shop", name: "web" };
const EVENTS = [
  { name: "orders", pattern: { source: ["shop"] }, evaluate: ask },
  { name: "jobs", bus: "mainsheet" as const, pattern: { source: ["jobs"] }, evaluate: ask },
];

let bundles: string;
let resources: Record<string, Resource>;
beforeAll(async () => {
  bundles = await standInBundles();
  const hubs = ["eu", "us"].map((name) => ({ name, kubeconfig: { secret: name } }));
  resources = resourcesOf(stackOf(bundles, { hubs, events: EVENTS }));
}, 60_000);
afterAll(() => rm(bundles, { recursive: true }));

/** What CloudFormation makes of this part of a template: parts are called by their logical ids. */
// biome-ignore lint/suspicious/noExplicitAny: CloudFormation has no types here.
function deployed(value: any): any {
  if (typeof value !== "object" || value === null) return value;
  if (value.Ref) return value.Ref;
  if (value["Fn::GetAtt"]) return attribute(value["Fn::GetAtt"]);
  if (value["Fn::Join"]) return deployed(value["Fn::Join"][1].map(deployed)).join(value["Fn::Join"][0]);
  if (value["Fn::Split"]) return deployed(value["Fn::Split"][1]).split(value["Fn::Split"][0]);
  if (value["Fn::Select"]) return deployed(value["Fn::Select"][1])[value["Fn::Select"][0]];
  return value;
}

/** Ref: EventBridge User Guide, "Amazon Resource Names": a rule has its bus before it, but for the default bus. */
function attribute([id, name]: readonly [string, string]): string {
  const { Type, Properties } = resources[id] as Resource;
  if (Type !== RULE || name !== "Arn") return id;
  const bus = Properties.EventBusName === undefined ? [] : [deployed(Properties.EventBusName)];
  return `arn:aws:events:us-east-1:000000000000:${["rule", ...bus, id].join("/")}`;
}

interface Series {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly label: string;
  readonly isRight: boolean;
  readonly stat: string;
}

function widget(title: string): Series[] {
  const { DashboardBody } = Object.values(resources).find(({ Type }) => Type === "AWS::CloudWatch::Dashboard")
    ?.Properties ?? { DashboardBody: "{}" };
  const found = JSON.parse(deployed(DashboardBody)).widgets.find(
    (one: { properties: { title: string } }) => one.properties.title === title,
  );
  return found.properties.metrics.map((row: (string | Record<string, string>)[]) => {
    const [namespace, name, ...rest] = row as string[];
    const options = rest.pop() as unknown as { label: string; yAxis?: string; stat: string; period: number };
    expect(options.period ?? 60).toBe(60);
    const pairs = Array.from({ length: rest.length / 2 }, (_, i) => rest.slice(2 * i, 2 * i + 2));
    return {
      ...{ metric: `${namespace} ${name}`, dimensions: Object.fromEntries(pairs), label: options.label },
      ...{ isRight: options.yAxis === "right", stat: options.stat },
    };
  });
}

/** Logical ids hold the path. */
function idOf(path: string): string | undefined {
  const ids = Object.keys(resources).filter((id) => id.replace(/[0-9A-F]{8}$/, "") === `Mainsheet${path}`);
  expect(ids).toHaveLength(1);
  return ids[0];
}

describe("the dashboard's events", () => {
  let series: Series[];
  beforeAll(() => {
    series = widget("Events: matched, delivered, evaluations asked for");
  });
  const labelled = (label: string) => series.find((one) => one.label === label);

  it.each([
    ["alarms", "BusRulealarms", false],
    ["events", "BusRuleevents", true],
    ["yours, orders", "Mappingorders", false],
    ["yours, jobs", "Mappingjobs", true],
  ])(
    "%s: matched, delivered and not, under the names that EventBridge counts by",
    (name, part, isOnOurBus) => {
      const dimensions = {
        ...(isOnOurBus ? { EventBusName: idOf("BusmainsheetBus") } : {}),
        RuleName: idOf(`${part}Rule`),
      };
      const of = (what: string, metric: string, isRight: boolean) =>
        expect(labelled(`${name}: ${what}`)).toMatchObject({ metric, dimensions, isRight, stat: "Sum" });
      of("matched", "AWS/Events MatchedEvents", false);
      of("delivered", "AWS/Events Invocations", false);
      of("not delivered", "AWS/Events FailedInvocations", true);
    },
  );

  it.each([
    ["route", "to route: events, and evaluations held back"],
    ["reconcile", "to reconcile: evaluations asked for, by slots and events"],
  ])("what was sent to %s", (queue, label) => {
    expect(labelled(label)).toMatchObject({
      metric: "AWS/SQS NumberOfMessagesSent",
      dimensions: { QueueName: idOf(`Queues${queue}`) },
    });
  });

  it("what the bus refused, hub by hub, is the only measure of it that is paid", () => {
    const paid = series.filter(({ metric }) => !metric.startsWith("AWS/"));
    expect(paid.map(({ metric, dimensions, label }) => [metric, dimensions.hub, label])).toEqual([
      ["Mainsheet/mainsheet EventsRefused", "eu", "eu: refused by the bus"],
      ["Mainsheet/mainsheet EventsRefused", "us", "us: refused by the bus"],
    ]);
  });
});
