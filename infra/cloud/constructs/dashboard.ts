import { Duration } from "aws-cdk-lib";
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  PeriodOverride,
  SearchExpression,
} from "aws-cdk-lib/aws-cloudwatch";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { fixedCost, US_EAST_1 } from "#infra/cost";
import { TOPOLOGY, type Topology, WITH_RELAY } from "#infra/topology";
import { type MeasureName, SERVICE } from "#ports/telemetry";
import type { BusRule } from "./bus-rule.ts";
import { measureMetric } from "./measures.ts";

export interface DashboardProps {
  readonly namespace: string;
  readonly hubs: readonly string[];
  readonly clusters: number;
  readonly syncPeriodSeconds: number;
  readonly functions: Readonly<Record<string, IFunction>>;
  readonly queues: Readonly<Record<string, IQueue>>;
  /** By their names in the topology, or in the user's list. */
  readonly rules: Readonly<Record<string, BusRule>>;
  readonly table: TableV2;
  readonly alarms: readonly Alarm[];
}

const HALF = 12;
const WHOLE = 24;
const MINUTE = Duration.minutes(1);

/** What a fleet did, hub by hub, how quickly, and what it costs (systems O2). */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    new CloudWatchDashboard(this, "Dashboard", {
      defaultInterval: Duration.hours(3),
      // Sums of a minute stay sums of a minute, however far one looks back.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        [new AlarmStatusWidget({ title: "Alarms", alarms: [...props.alarms], width: WHOLE, height: 3 })],
        ...props.hubs.flatMap((hub) => hubRows(hub, props)),
        [events(props)],
        [queueAges(props), parts(props)],
        [costLine(props)],
      ],
    });
  }
}

function hubRows(hub: string, { namespace, syncPeriodSeconds }: DashboardProps): IWidget[][] {
  const measure = (name: MeasureName, statistic: string, label: string) =>
    measureMetric(name, { hub }, { namespace, statistic, label });
  return [
    [replicasByCluster(hub, namespace, syncPeriodSeconds)],
    [
      new GraphWidget({
        title: `${hub}: decision and sweep latency`,
        width: HALF,
        left: [
          measure("DecisionLatency", "p50", "decision, half of all"),
          measure("DecisionLatency", "p99", "decision, 99 of 100"),
          measure("SweepLatency", "p99", "sweep, 99 of 100"),
        ],
        leftYAxis: { min: 0, label: "ms" },
      }),
      new GraphWidget({
        title: `${hub}: failovers and scales`,
        width: HALF,
        left: [
          measure("ScaleOuts", "Sum", "scales out"),
          measure("ScaleIns", "Sum", "scales in"),
          measure("Evictions", "Sum", "evictions"),
        ],
        right: [measure("UnreadableClusters", "Maximum", "unreadable clusters")],
        leftYAxis: { min: 0 },
        rightYAxis: { min: 0 },
      }),
    ],
    [
      new GraphWidget({
        title: `${hub}: evaluations`,
        width: HALF,
        left: [
          measure("ObjectsFound", "Maximum", "objects"),
          measure("ObjectsEvaluated", "Sum", "evaluated"),
          measure("ObjectsFailed", "Sum", "failed"),
          measure("MetricsFailed", "Sum", "metrics failed"),
        ],
        leftYAxis: { min: 0 },
      }),
      new GraphWidget({
        title: `${hub}: replicas off, cron runs, parked messages`,
        width: HALF,
        left: [
          measure("ReplicasOff", "Sum", "replicas off"),
          measure("ReplicasWanted", "Sum", "replicas wanted"),
        ],
        right: [
          measure("CronRuns", "Sum", "cron runs"),
          measure("CronRunsFailed", "Sum", "cron runs failed"),
          measure("MessagesParked", "Sum", "parked"),
        ],
        leftYAxis: { min: 0 },
        rightYAxis: { min: 0 },
      }),
    ],
  ];
}

/** Every slot adds a cluster's replicas up once, so that a minute holds them as often as it has slots. */
function replicasByCluster(hub: string, namespace: string, syncPeriodSeconds: number): IWidget {
  const search = `SEARCH('{"${namespace}",service,hub,cluster} MetricName="Replicas" service="${SERVICE}" hub="${hub}"', 'Sum', 60)`;
  return new GraphWidget({
    title: `${hub}: replicas by cluster`,
    width: WHOLE,
    stacked: true,
    left: [
      new SearchExpression({
        expression: `${search} / ${60 / syncPeriodSeconds}`,
        period: MINUTE,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudWatch fills it in.
        label: "${PROP('Dim.cluster')}",
      }),
    ],
    leftYAxis: { min: 0 },
  });
}

/** From a bus to an evaluation, by measures that AWS has anyway. */
function events({ namespace, hubs, queues, rules }: DashboardProps): IWidget {
  const all = Object.entries(rules);
  const sent = (queue: string, label: string) =>
    queues[queue]?.metricNumberOfMessagesSent({ label, period: MINUTE }) ?? [];
  return new GraphWidget({
    title: "Events: matched, delivered, evaluations asked for",
    width: WHOLE,
    left: [
      ...all.map(([name, rule]) => rule.metric("MatchedEvents", `${name}: matched`)),
      ...all.map(([name, rule]) => rule.metric("Invocations", `${name}: delivered`)),
      sent("route", "to route: events, and evaluations held back"),
      sent("reconcile", "to reconcile: evaluations asked for, by slots and events"),
    ].flat(),
    right: [
      ...all.map(([name, rule]) => rule.metric("FailedInvocations", `${name}: not delivered`)),
      ...hubs.map((hub) =>
        measureMetric(
          "EventsRefused",
          { hub },
          { namespace, statistic: "Sum", label: `${hub}: refused by the bus` },
        ),
      ),
    ],
    leftYAxis: { min: 0 },
    rightYAxis: { min: 0 },
  });
}

function queueAges({ queues }: DashboardProps): IWidget {
  const { queues: specs } = TOPOLOGY as Topology;
  const working = Object.entries(queues).filter(([name]) => specs[name]?.deadLetters !== undefined);
  const dead = Object.entries(queues).filter(([name]) => specs[name]?.deadLetters === undefined);
  return new GraphWidget({
    title: "Queues: age of the oldest message, dead letters",
    width: HALF,
    left: working.map(([name, queue]) =>
      queue.metricApproximateAgeOfOldestMessage({ label: name, period: MINUTE }),
    ),
    right: dead.map(([name, queue]) =>
      queue.metricApproximateNumberOfMessagesVisible({ label: name, period: MINUTE }),
    ),
    leftYAxis: { min: 0, label: "s" },
    rightYAxis: { min: 0 },
  });
}

function parts({ functions }: DashboardProps): IWidget {
  const all = Object.entries(functions);
  return new GraphWidget({
    title: "Functions: duration, errors and throttles",
    width: HALF,
    left: all.map(([name, fn]) => fn.metricDuration({ label: name, statistic: "p99", period: MINUTE })),
    right: all.flatMap(([name, fn]) => [
      fn.metricErrors({ label: `${name} errors`, period: MINUTE }),
      fn.metricThrottles({ label: `${name} throttles`, period: MINUTE }),
    ]),
    leftYAxis: { min: 0, label: "ms" },
    rightYAxis: { min: 0 },
  });
}

/** Lambda and the table at the rate of each hour, and what is paid in any case, at us-east-1's prices. */
function costLine({ functions, table, hubs, clusters }: DashboardProps): IWidget {
  const period = Duration.hours(1);
  const prices = US_EAST_1;
  const metrics: Record<string, IMetric> = {
    writes: table.metricConsumedWriteCapacityUnits({ statistic: "Sum", period }),
    reads: table.metricConsumedReadCapacityUnits({ statistic: "Sum", period }),
  };
  const terms = [`writes*${decimal(prices.tableWrite)}`, `reads*${decimal(prices.tableRead)}`];
  for (const [name, fn] of Object.entries(functions)) {
    const key = name.replaceAll("-", "_");
    const gbMs = ((WITH_RELAY.functions[name]?.memoryMb ?? 0) / 1024 / 1000) * prices.lambdaGbSecond;
    metrics[`${key}_ms`] = fn.metricDuration({ statistic: "Sum", period });
    metrics[`${key}_calls`] = fn.metricInvocations({ statistic: "Sum", period });
    terms.push(`${key}_ms*${decimal(gbMs)}`, `${key}_calls*${decimal(prices.lambdaRequest)}`);
  }
  const topology = "relay" in functions ? WITH_RELAY : TOPOLOGY;
  const fixed = fixedCost(hubs.length, clusters, prices, topology).toFixed(2);
  return new GraphWidget({
    title:
      "Cost: USD a month at the rate of each hour (Lambda, DynamoDB and what is fixed; see mainsheet cost)",
    width: WHOLE,
    left: [
      new MathExpression({
        expression: `${fixed} + 720 * (${terms.join(" + ")})`,
        usingMetrics: metrics,
        period,
        label: "USD a month",
      }),
    ],
    leftYAxis: { min: 0, label: "USD" },
  });
}

/** CloudWatch's expressions know no exponents. */
function decimal(value: number): string {
  return value.toFixed(15).replace(/0+$/, "");
}
