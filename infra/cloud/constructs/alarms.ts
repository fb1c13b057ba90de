import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { type AlarmSpec, FUNCTION_ALARMS, HUB_ALARMS } from "#infra/alarms";
import { NO_HUB } from "#wire/parked";
import { measureMetric } from "./measures.ts";

export interface AlarmsProps {
  readonly namespace: string;
  readonly hubs: readonly string[];
  readonly functions: Readonly<Record<string, IFunction>>;
  /** Who is told; absent: nobody, the alarms only show. */
  readonly topic?: ITopic | undefined;
}

/** The alarms of every hub and of the functions; each says in its description what to do. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { namespace, hubs, functions, topic }: AlarmsProps) {
    super(scope, id);
    // Messages that name no hub are parked under none.
    const alarms = [...hubs, NO_HUB].flatMap((hub) =>
      HUB_ALARMS.filter(({ name }) => hub !== NO_HUB || name === "messages-parked").map((spec) =>
        this.alarm(
          spec,
          `${spec.name}-${hub === NO_HUB ? "no-hub" : hub}`,
          namespace,
          metricOf(spec, hub, namespace),
        ),
      ),
    );
    for (const { metric, functions: names = Object.keys(functions), ...spec } of FUNCTION_ALARMS) {
      const watched = Object.entries(functions).filter(([name]) => names.includes(name));
      const metrics = watched.map(([name, fn]) => [
        name.replaceAll("-", "_"),
        fn.metric(metric, { statistic: "Sum", period: Duration.minutes(1) }),
      ]);
      const sum = new MathExpression({
        expression: "SUM(METRICS())",
        usingMetrics: Object.fromEntries(metrics),
        period: Duration.minutes(1),
        label: metric,
      });
      alarms.push(this.alarm({ ...spec, above: 0, periods: 1, missing: "fine" }, spec.name, namespace, sum));
    }
    if (topic !== undefined) for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
    this.all = alarms;
  }

  private alarm(
    { means, doThis, above, periods, missing }: Omit<AlarmSpec, "metrics" | "periodMinutes">,
    name: string,
    namespace: string,
    metric: IMetric,
  ): Alarm {
    return new Alarm(this, name, {
      alarmName: `${namespace}/${name}`,
      alarmDescription: `${means} Do this: ${doThis}`,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: periods,
      treatMissingData: missing === "alarm" ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
  }
}

function metricOf(
  { name, metrics, expression, periodMinutes }: AlarmSpec,
  hub: string,
  namespace: string,
): IMetric {
  const period = Duration.minutes(periodMinutes);
  const using = Object.entries(metrics).map(
    ([key, { measure, statistic }]) =>
      [key, measureMetric(measure, { hub }, { namespace, statistic, period })] as const,
  );
  const [only] = using;
  if (expression === undefined && only !== undefined) return only[1];
  return new MathExpression({
    expression: expression ?? "",
    usingMetrics: Object.fromEntries(using),
    period,
    label: name,
  });
}
