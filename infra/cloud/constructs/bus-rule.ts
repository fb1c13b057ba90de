import { Duration, Fn } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { type EventPattern, type IEventBus, type IRuleTarget, Rule } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";

export interface BusRuleProps {
  /** Default: the account's own. */
  readonly bus?: IEventBus;
  /** As EventBridge has it. */
  readonly pattern: Readonly<Record<string, unknown>>;
  readonly target: IRuleTarget;
}

/** Takes from a bus what matches, and brings it on. */
export class BusRule extends Construct {
  private readonly dimensions: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { bus, pattern, target }: BusRuleProps) {
    super(scope, id);
    const { "detail-type": detailType, ...rest } = pattern;
    const eventPattern = { ...rest, ...(detailType === undefined ? {} : { detailType }) } as EventPattern;
    const { ruleArn } = new Rule(this, "Rule", {
      ...(bus === undefined ? {} : { eventBus: bus }),
      eventPattern,
      targets: [target],
    });
    // A rule of a bus of one's own has the bus before its name, in its ARN and, with a bar, in what Ref gives.
    const part = (index: number) => Fn.select(index, Fn.split("/", ruleArn));
    this.dimensions =
      bus === undefined ? { RuleName: part(1) } : { EventBusName: bus.eventBusName, RuleName: part(2) };
  }

  /**
   * One of EventBridge's own measures of the rule, a minute's sum, which costs nothing. Ref: EventBridge User Guide,
   * "Monitoring Amazon EventBridge".
   */
  metric(metricName: "MatchedEvents" | "Invocations" | "FailedInvocations", label: string): Metric {
    return new Metric({
      ...{ namespace: "AWS/Events", metricName, dimensionsMap: this.dimensions, label },
      ...{ statistic: "Sum", period: Duration.minutes(1) },
    });
  }
}
