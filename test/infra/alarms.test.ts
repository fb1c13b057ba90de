import { rm } from "node:fs/promises";
import { Topic } from "aws-cdk-lib/aws-sns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { monthlyCost, USUAL_FLEET } from "#infra/cost";
import { WITH_RELAY } from "#infra/topology";
import { type Resource, resourcesOf, stackOf, standInBundles } from "#test/infra/stack";

interface Alarm {
  readonly name: string;
  /** What it is compared with, how often in a row, and how long each time, in seconds. */
  readonly threshold: readonly [above: number, periods: number, periodSeconds: number];
  readonly metrics: readonly string[];
  readonly missing: string;
  readonly description: string;
  readonly actions: readonly object[];
}

let bundles: string;
let alarms: readonly Alarm[];

beforeAll(async () => {
  bundles = await standInBundles();
  const hubs = ["eu", "us"].map((name) => ({ name, kubeconfig: { secret: name }, relay: name === "us" }));
  const stack = stackOf(bundles, (scope) => ({ hubs, alarmTopic: new Topic(scope, "Topic") }));
  alarms = Object.values<Resource>(resourcesOf(stack)).flatMap(({ Type, Properties }) =>
    Type === "AWS::CloudWatch::Alarm" ? [alarmOf(Properties)] : [],
  );
}, 60_000);
afterAll(() => rm(bundles, { recursive: true }));

function alarmOf(properties: Resource["Properties"]): Alarm {
  expect(properties.ComparisonOperator).toBe("GreaterThanThreshold");
  const watched = (properties.Metrics ?? [{ MetricStat: metricStat(properties) }]).flatMap(
    // biome-ignore lint/suspicious/noExplicitAny: CloudFormation has no types here.
    ({ MetricStat, Expression }: any) =>
      MetricStat
        ? [{ text: `${MetricStat.Stat} ${MetricStat.Metric.MetricName}`, seconds: MetricStat.Period }]
        : [{ text: Expression, seconds: undefined }],
  );
  const seconds = watched.find((entry: { seconds?: number }) => entry.seconds !== undefined)?.seconds;
  return {
    name: properties.AlarmName,
    threshold: [properties.Threshold, properties.EvaluationPeriods, seconds],
    metrics: watched.map(({ text }: { text: string }) => text),
    missing: properties.TreatMissingData,
    description: properties.AlarmDescription,
    actions: properties.AlarmActions ?? [],
  };
}

function metricStat({ MetricName, Statistic, ExtendedStatistic, Period }: Resource["Properties"]): object {
  return { Metric: { MetricName }, Stat: Statistic ?? ExtendedStatistic, Period };
}

const named = (name: string) => alarms.find((alarm) => alarm.name === `Mainsheet/mainsheet/${name}`);

describe("alarms (O1)", () => {
  it.each<[string, string, readonly number[], readonly string[], string]>([
    [
      "nothing reconciled for two minutes",
      "nothing-reconciled-eu",
      [0, 2, 60],
      ["IF(found > 0 AND evaluated < 1, 1, 0)", "Maximum ObjectsFound", "Sum ObjectsEvaluated"],
      "breaching",
    ],
    ["attempts that fail", "objects-failed-eu", [0, 5, 60], ["Sum ObjectsFailed"], "notBreaching"],
    ["duration P99 > 30 s", "decisions-late-eu", [30_000, 5, 60], ["p99 DecisionLatency"], "notBreaching"],
    ["a parked message", "messages-parked-eu", [0, 1, 60], ["Sum MessagesParked"], "notBreaching"],
    ["one that names no hub", "messages-parked-no-hub", [0, 1, 60], ["Sum MessagesParked"], "notBreaching"],
    [
      "a cluster unreadable for 5 min",
      "cluster-unreadable-eu",
      [0, 5, 60],
      ["Maximum UnreadableClusters"],
      "notBreaching",
    ],
    [
      "replicas off by > 20 % for 5 min",
      "replicas-off-us",
      [20, 5, 60],
      ["IF(wanted > 0, 100 * off / wanted, 0)", "Sum ReplicasWanted", "Sum ReplicasOff"],
      "notBreaching",
    ],
    ["evictions > 3/h", "evictions-us", [3, 1, 3_600], ["Sum Evictions"], "notBreaching"],
    ["a cron run that failed", "cron-runs-failed-eu", [0, 1, 60], ["Sum CronRunsFailed"], "notBreaching"],
    ["an event refused (B91)", "events-refused-eu", [0, 1, 60], ["Sum EventsRefused"], "notBreaching"],
  ])("%s", (_what, name, threshold, metrics, missing) => {
    expect(named(name)).toMatchObject({ threshold, metrics, missing });
  });

  it.each([
    ["Errors", Object.keys(WITH_RELAY.functions)],
    ["Throttles", ["sweep", "reconcile"]],
  ])("%s of the functions", (metric, functions) => {
    const found = named(`function-${metric.toLowerCase()}`);
    expect(found?.threshold).toEqual([0, 1, 60]);
    const [expression, ...watched] = found?.metrics ?? [];
    expect(expression).toBe("SUM(METRICS())");
    expect(new Set(watched)).toEqual(new Set([`Sum ${metric}`]));
    expect(watched).toHaveLength(functions.length);
    expect(watched.length).toBeLessThanOrEqual(10);
  });

  it("watch as many metrics as mainsheet cost counts", () => {
    const watched = alarms.flatMap(({ metrics }) =>
      metrics.filter((text) => /^(Sum|Maximum|p99) /.test(text)),
    );
    const lines = monthlyCost({ ...USUAL_FLEET, objects: 100, namespaces: 2, hubs: 2, relays: 1 });
    const counted = lines.filter(({ item }) => item.endsWith(", alarms"));
    expect(counted.map(({ quantity }) => quantity)).toEqual([watched.length - 1, 1]);
  });

  it("each says in two sentences what is the case and what to do, and tells the topic", () => {
    expect(alarms.length).toBe(2 * 9 + 1 + 2);
    for (const { description, actions } of alarms) {
      expect(description).toMatch(/^[A-Z].+\. Do this: [A-Z].+\.$/s);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect(actions).toHaveLength(1);
    }
    expect(new Set(alarms.map(({ name }) => name)).size).toBe(alarms.length);
  });
});
